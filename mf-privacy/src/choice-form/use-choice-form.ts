import type { PrivacyRequestResponse } from '@daybook/contract/api';
import { callUrls } from '@daybook/contract/calls';
import type { SiteSettings } from '@daybook/contract/site';
import { ApiError, apiRequest, useLocation, useSiteSettings } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { showAlert } from '@daybook/ui';
import { useEffect, useState } from 'react';
import { type Choice, type Field, type FieldValue, valueIn } from './choice.tsx';
import { storeVisit, submissionOfEntry, visitOfEntry } from './visit.ts';

/** Why the last submission stopped. */
interface Problem {
  /** `undefined` once the field is corrected. */
  readonly message: string | undefined;
  /** The first invalid field; `undefined` if processing failed. */
  readonly field?: Field;
  /** Interrupts the visitor, after the page has rendered the message. */
  readonly interrupt?: () => void;
}

/**
 * State and actions of a choice form (docs/product.md, Privacy choices). The first invalid field stops the submission.
 */
export function useChoiceForm(choice: Choice) {
  const { requestName, fields } = choice;
  const settings = useSiteSettings();
  const location = useLocation();
  const [visit] = useState(visitOfEntry);
  const [request, setRequest] = useState(visit.request);
  const [submission, setSubmission] = useState(visit.submission);
  const [problem, setProblem] = useState<Problem>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: each location may be another entry of the history
  useEffect(() => storeVisit(requestName, visit), [requestName, visit, location, submission]);

  // In an effect, because the server's HTML shows the form.
  useEffect(() => {
    visit.submission ??= submissionOfEntry(requestName);
    setSubmission(visit.submission);
  }, [requestName, visit]);

  // Not in the handler of the press: the visitor may leave meanwhile, and return.
  useEffect(() => {
    let left = false;
    request?.then((message) => {
      if (left) return;
      if (message !== undefined) setProblem({ message, interrupt: () => showAlert(message) });
      setSubmission(visit.submission);
      setRequest(undefined);
    });
    return () => {
      left = true;
    };
  }, [request, visit]);

  // An alert blocks rendering, and browsers may suppress it: the page's text comes first.
  useEffect(() => problem?.interrupt?.(), [problem]);

  function submit(form: HTMLFormElement) {
    if (visit.request) return;
    const data = new FormData(form);
    for (const field of fields) {
      const error = field.errorIn?.(valueIn(data, field));
      if (!error) continue;
      const interrupt = () => {
        if (error.shownAs === 'text and alert') showAlert(error.message);
        form.querySelector<HTMLElement>(`[name='${field.name}']`)?.focus();
      };
      setProblem({ message: error.message, field, interrupt });
      return;
    }
    setProblem(undefined);
    const values = Object.fromEntries(fields.map((field) => [field.name, valueIn(data, field)]));
    visit.request = processRequest(choice, values, settings).then(
      (reference) => {
        visit.submission = { reference };
        return undefined;
      },
      (error: unknown) => {
        visit.request = undefined;
        log('error', `${requestName} failed:`, error);
        return failureMessage(error);
      },
    );
    setRequest(visit.request);
  }

  return {
    status: submission ? 'submitted' : request ? 'submitting' : 'editing',
    /** Error message of the failed processing. */
    failure: problem?.field ? undefined : problem?.message,
    /** Number of the submitted request, if it is stored. */
    reference: submission?.reference,
    submit,
    /** Validates a rejected value again. */
    change(form: HTMLFormElement) {
      const field = problem?.field;
      if (field) setProblem({ field, message: field.errorIn?.(valueIn(new FormData(form), field))?.message });
    },
    errorOf: (field: Field) => (field === problem?.field ? problem.message : undefined),
  } as const;
}

/** Minimum processing time in ms. */
const processingDelay = 1000;

/** Takes a second, and stores the request if the site records them; returns its reference number then. */
async function processRequest(
  { kind, requestName }: Choice,
  values: Readonly<Record<string, FieldValue>>,
  { supportAddress, privacyRequests }: SiteSettings,
): Promise<string | undefined> {
  const recorded = privacyRequests === 'record' ? recordRequest(kind, values) : undefined;
  const [result] = await Promise.allSettled([recorded, new Promise((resolve) => setTimeout(resolve, processingDelay))]);
  if (result.status === 'rejected') throw result.reason;
  log('log', `${requestName}, intended for ${supportAddress}: ${JSON.stringify(values)}`);
  return result.value;
}

/** Returns the reference number. Sending it again is safe: the API stores an equal open request once. */
async function recordRequest(kind: Choice['kind'], { email = '', ...fields }: Readonly<Record<string, FieldValue>>) {
  const { method, path } = callUrls.makePrivacyRequest;
  const response = await apiRequest(method, path, { kind, email, fields, pageVersion: RELEASE_NAME });
  const { reference } = (response ?? {}) as Partial<PrivacyRequestResponse>;
  if (typeof reference !== 'string') throw new Error('The response has no reference number.');
  return reference;
}

/** Returns the server's message for errors that the visitor can act on. */
function failureMessage(error: unknown): string {
  const isForVisitor = error instanceof ApiError && (error.status === 400 || error.status === 429);
  return (isForVisitor && error.serverMessage) || 'There was an error processing your request. Please try again.';
}
