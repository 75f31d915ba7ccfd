import { useLocation, useSiteSettings } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { showAlert } from '@daybook/ui';
import { useEffect, useState } from 'react';
import { type Choice, type Field, valueIn } from './choice.tsx';
import { failureMessage, processRequest } from './process-request.ts';
import { storeVisit, submissionOfEntry, visitOfEntry } from './visit.ts';

type ChoiceFormStatus = 'editing' | 'submitting' | 'submitted';

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
 * The states and rules that all choice forms share (docs/product.md, Privacy choices, Validation and Errors). The first invalid
 * field stops the submission; its message remains until it is corrected. A submitted form is still submitted when the
 * visitor returns to it through the browser's history.
 */
export function useChoiceForm(choice: Choice) {
  const { requestName, fields } = choice;
  const settings = useSiteSettings();
  const location = useLocation();
  const [visit] = useState(visitOfEntry);
  const [request, setRequest] = useState(visit.request);
  const [submission, setSubmission] = useState(visit.submission);
  const [problem, setProblem] = useState<Problem>();
  const status: ChoiceFormStatus = submission ? 'submitted' : request ? 'submitting' : 'editing';

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

  // A native alert blocks everything, rendering included, and browsers may suppress it: the page's text comes first.
  useEffect(() => problem?.interrupt?.(), [problem]);

  function submit(form: HTMLFormElement) {
    if (visit.request) return;
    const data = new FormData(form);
    for (const field of fields) {
      const error = field.errorIn?.(valueIn(data, field));
      if (!error) continue;
      const { message, shownAs } = error;
      const interrupt = () => {
        if (shownAs === 'text and alert') showAlert(message);
        form.querySelector<HTMLElement>(`[name='${field.name}']`)?.focus();
      };
      setProblem({ message, field, interrupt });
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
    status,
    /** Error message of the failed processing. */
    failure: problem?.field ? undefined : problem?.message,
    /** Reference number of the submitted request, if it is stored. */
    reference: submission?.reference,
    submit,
    /** Called when a value has changed: validates a rejected one again. */
    change(form: HTMLFormElement) {
      const field = problem?.field;
      if (field) setProblem({ field, message: field.errorIn?.(valueIn(new FormData(form), field))?.message });
    },
    /** Returns the message to show next to a field. */
    errorOf: (field: Field) => (field === problem?.field ? problem.message : undefined),
  };
}
