import { useLocation, useSiteSettings } from '@daybook/platform';
import { useEffect, useState } from 'react';
import { type Choice, type Field, valueIn } from './choice.tsx';
import { describeFailure, processRequest } from './process-request.ts';

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
 * The states and rules that all choice forms share (docs/product.md, Flows, Validation and Errors). The first invalid
 * field stops the submission; its message remains until it is corrected. A submitted form is still submitted when the
 * visitor returns to it through the browser's history.
 */
export function useChoiceForm(choice: Choice) {
  const { requestName, fields } = choice;
  const settings = useSiteSettings();
  const [processed, setProcessed] = useState(() => submitted.get(entryOf(requestName)));
  const [status, setStatus] = useState<ChoiceFormStatus>(processed ? 'submitted' : 'editing');
  const [problem, setProblem] = useState<Problem>();
  const location = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: an anchor on the page makes another entry of the history
  useEffect(() => {
    if (processed) submitted.set(entryOf(requestName), processed);
  }, [processed, requestName, location?.hash]);

  // A native alert blocks everything, rendering included, and browsers may suppress it: the page's text comes first.
  useEffect(() => problem?.interrupt?.(), [problem]);

  async function submit(form: HTMLFormElement) {
    if (status === 'submitting') return;
    const data = new FormData(form);
    for (const field of fields) {
      const error = field.errorIn?.(valueIn(data, field));
      if (!error) continue;
      const { message, shownAs } = error;
      const interrupt = () => {
        if (shownAs === 'text and alert') alert(message);
        form.querySelector<HTMLElement>(`[name='${field.name}']`)?.focus();
      };
      setProblem({ message, field, interrupt });
      return;
    }
    setProblem(undefined);
    setStatus('submitting');
    try {
      const values = Object.fromEntries(fields.map((field) => [field.name, valueIn(data, field)]));
      setProcessed({ reference: await processRequest(choice, values, settings) });
      setStatus('submitted');
    } catch (error) {
      const message = describeFailure(error);
      setProblem({ message, interrupt: () => alert(message) });
      setStatus('editing');
      console.error(`${requestName} failed:`, error);
    }
  }

  return {
    status,
    /** Error message of the failed processing. */
    failure: problem?.field ? undefined : problem?.message,
    /** Reference number of the submitted request, if it is stored. */
    reference: processed?.reference,
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

interface ProcessedRequest {
  /** Reference number; `undefined` if processing is simulated. */
  readonly reference: string | undefined;
}

/** Submitted requests by history entry; only in memory, so that a reload shows the form again. */
const submitted = new Map<string, ProcessedRequest>();

/** Key of a request in the current history entry, by the router's key; a prerendered page has none. */
const entryOf = (requestName: string) => `${typeof history === 'undefined' ? '' : history.state?.key} ${requestName}`;
