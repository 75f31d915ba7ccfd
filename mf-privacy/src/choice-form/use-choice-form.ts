import { useLocation, useSiteSettings } from '@daybook/platform';
import { useEffect, useState } from 'react';
import type { Choice, Field } from './choice.tsx';
import { describeFailure, processRequest } from './process-request.ts';

/** `failed` is editing again, after a failure. */
type ChoiceFormStatus = 'editing' | 'submitting' | 'failed' | 'submitted';

/**
 * The states and rules that all choice forms share (docs/product.md, Flows, Validation and Errors). The first field
 * that can't be taken stops the submission; its message stays beside it until it is put right. Who comes back to
 * a submitted form through the browser's history finds it submitted.
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
      const problem = field.problemIn(form);
      if (!problem) continue;
      const { message, shownAs } = problem;
      setRejected({ field, message });
      setStatus('editing');
      interrupt({ alert: shownAs === 'text and alert' ? message : undefined, focusId: field.focusId });
      return;
    }
    setRejected(undefined);
    setStatus('submitting');
    try {
      const answers = Object.fromEntries(fields.map(({ name, answerIn }) => [name, answerIn(form)]));
      setProcessed({ reference: await processRequest(choice, answers, settings) });
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
    /** Why processing failed, with the status `failed`. */
    failure,
    /** The number under which the submitted request is stored, if it is. */
    reference: processed?.reference,
    submit,
    /** Called when an answer has changed: one that was rejected is checked again. */
    change: (form: FormData) =>
      rejected && setRejected({ ...rejected, message: rejected.field.problemIn(form)?.message }),
    /** The message to show beside a field. */
    problemOf: (field: Field) => (field === rejected?.field ? rejected.message : undefined),
  };
}

interface Interruption {
  /** Text of a native alert. */
  readonly alert?: string | undefined;
  /** Id of the element that has the focus afterwards; without one it stays where it is. */
  readonly focusId?: string | undefined;
}

/**
 * Gives a function that interrupts the visitor once the page shows what it is about. A native alert stops
 * everything, rendering included, and browsers may suppress it: the text on the page comes first.
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
  /** The number under which it is stored; none where processing is simulated. */
  readonly reference: string | undefined;
}

/** Submitted requests by entry of the history; only in memory, so that reloading brings the form back. */
const submitted = new Map<string, ProcessedRequest>();

/** Names a request in the current entry of the history, by the router's key; a prerendered page is in none. */
const entryOf = (requestName: string) => `${typeof history === 'undefined' ? '' : history.state?.key} ${requestName}`;
