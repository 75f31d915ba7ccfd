import { useLocation, useSiteSettings } from '@daybook/platform';
import { useEffect, useState } from 'react';
import type { Choice, Field } from './choice.tsx';
import { describeFailure, processRequest } from './process-request.ts';

/** `failed` is editing again, after a failure. */
type ChoiceFormStatus = 'editing' | 'submitting' | 'failed' | 'submitted';

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
  const [failure, setFailure] = useState('');
  const [rejected, setRejected] = useState<{ readonly field: Field; readonly message: string | undefined }>();
  const interrupt = useInterruption();
  const location = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: an anchor on the page makes another entry of the history
  useEffect(() => {
    if (processed) submitted.set(entryOf(requestName), processed);
  }, [processed, requestName, location?.hash]);

  async function submit(form: FormData) {
    if (status === 'submitting') return;
    for (const field of fields) {
      const error = field.errorIn(form);
      if (!error) continue;
      const { message, shownAs } = error;
      setRejected({ field, message });
      setStatus('editing');
      interrupt({ alert: shownAs === 'text and alert' ? message : undefined, focusId: field.focusId });
      return;
    }
    setRejected(undefined);
    setStatus('submitting');
    try {
      const values = Object.fromEntries(fields.map(({ name, valueIn }) => [name, valueIn(form)]));
      setProcessed({ reference: await processRequest(choice, values, settings) });
      setStatus('submitted');
    } catch (error) {
      const message = describeFailure(error);
      setFailure(message);
      setStatus('failed');
      console.error(`${requestName} failed:`, error);
      interrupt({ alert: message });
    }
  }

  return {
    status,
    /** Error message of the failed processing, with the status `failed`. */
    failure,
    /** Reference number of the submitted request, if it is stored. */
    reference: processed?.reference,
    submit,
    /** Called when a value has changed: validates a rejected one again. */
    change: (form: FormData) =>
      rejected && setRejected({ ...rejected, message: rejected.field.errorIn(form)?.message }),
    /** Returns the message to show next to a field. */
    errorOf: (field: Field) => (field === rejected?.field ? rejected.message : undefined),
  };
}

interface Interruption {
  /** Text of a native alert. */
  readonly alert?: string | undefined;
  /** Id of the element to focus afterwards; without one the focus stays. */
  readonly focusId?: string | undefined;
}

/**
 * Returns a function that interrupts the visitor after the page has rendered the message. A native alert blocks
 * everything, rendering included, and browsers may suppress it: the text on the page must come first.
 */
function useInterruption(): (interruption: Interruption) => void {
  const [interruption, setInterruption] = useState<Interruption>();
  useEffect(() => {
    if (interruption?.alert !== undefined) alert(interruption.alert);
    if (interruption?.focusId !== undefined) document.getElementById(interruption.focusId)?.focus();
  }, [interruption]);
  return setInterruption;
}

interface ProcessedRequest {
  /** Reference number; `undefined` if processing is simulated. */
  readonly reference: string | undefined;
}

/** Submitted requests by history entry; only in memory, so that a reload shows the form again. */
const submitted = new Map<string, ProcessedRequest>();

/** Key of a request in the current history entry, by the router's key; a prerendered page has none. */
const entryOf = (requestName: string) => `${typeof history === 'undefined' ? '' : history.state?.key} ${requestName}`;
