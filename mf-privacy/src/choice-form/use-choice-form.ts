import { useLocation, useSiteSettings } from '@daybook/platform';
import { useEffect, useState } from 'react';
import type { Choice } from './choice.ts';
import type { Field } from './fields/field.tsx';
import { processRequest } from './process-request.ts';
import { describeFailure } from './record-request.ts';
import { forgetRequestKey } from './request-key.ts';
import { markSubmitted, submittedRequest } from './submitted-entry.ts';
import { useInterruption } from './use-interruption.ts';

/** `failed` is editing again, after a failure. */
export type ChoiceFormStatus = 'editing' | 'submitting' | 'failed' | 'submitted';

/**
 * The states and rules that all choice forms share (product document, sections 4, 5 and 8). The first field
 * that can't be taken stops the submission; its message stays beside it until it is put right. Who comes back to
 * a submitted form through the browser's history finds it submitted.
 */
export function useChoiceForm({ kind, requestName, fields: initialFields }: Choice) {
  const settings = useSiteSettings();
  const [processed, setProcessed] = useState(() => submittedRequest(requestName));
  const [status, setStatus] = useState<ChoiceFormStatus>(processed ? 'submitted' : 'editing');
  const [failure, setFailure] = useState('');
  const [fields, setFields] = useState(initialFields);
  const [refusedName, setRefusedName] = useState<string>();
  const interrupt = useInterruption();
  const location = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: an anchor on the page makes another entry of the history
  useEffect(() => {
    if (processed) markSubmitted(requestName, processed);
  }, [processed, requestName, location?.hash]);

  async function submit() {
    if (status === 'submitting') return;
    const refused = fields.find(({ problem }) => problem);
    setRefusedName(refused?.name);
    if (refused?.problem) {
      const { message, shownAs } = refused.problem;
      setStatus('editing');
      interrupt({ alert: shownAs === 'text and alert' ? message : undefined, focusId: refused.focusId });
      return;
    }
    setStatus('submitting');
    try {
      setProcessed(await processRequest({ kind, requestName, fields, settings }));
      setStatus('submitted');
      forgetRequestKey();
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
    fields,
    submit,
    /** The message to show beside a field. */
    problemOf: (field: Field) => (field.name === refusedName ? field.problem?.message : undefined),
    change: (changed: Field) =>
      setFields((before) => before.map((field) => (field.name === changed.name ? changed : field))),
  };
}
