import { useLocation, useSiteSettings } from '@daybook/platform';
import { useEffect, useState } from 'react';
import type { Choice } from './choice.ts';
import { failureMessage } from './choice-form-copy.ts';
import type { Field } from './fields/field.tsx';
import { processRequest } from './process-request.ts';
import { markSubmitted, wasSubmitted } from './submitted-entry.ts';
import { useInterruption } from './use-interruption.ts';

/** `failed` is editing again, after an unexpected failure. */
export type ChoiceFormStatus = 'editing' | 'submitting' | 'failed' | 'submitted';

/**
 * The states and rules that all choice forms share (product document, sections 4, 5 and 8). The first field
 * that can't be taken stops the submission; its message stays beside it until it is put right. Who comes back to
 * a submitted form through the browser's history finds it submitted.
 */
export function useChoiceForm({ requestName, fields: initialFields }: Choice) {
  const { supportAddress } = useSiteSettings();
  const [status, setStatus] = useState<ChoiceFormStatus>(() => (wasSubmitted(requestName) ? 'submitted' : 'editing'));
  const [fields, setFields] = useState(initialFields);
  const [refusedName, setRefusedName] = useState<string>();
  const interrupt = useInterruption();
  const location = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: an anchor on the page makes another entry of the history
  useEffect(() => {
    if (status === 'submitted') markSubmitted(requestName);
  }, [status, requestName, location?.hash]);

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
      await processRequest({ requestName, supportAddress, fields });
      setStatus('submitted');
    } catch (error) {
      setStatus('failed');
      console.error(`${requestName} failed:`, error);
      interrupt({ alert: failureMessage });
    }
  }

  return {
    status,
    fields,
    submit,
    /** The message to show beside a field. */
    problemOf: (field: Field) => (field.name === refusedName ? field.problem?.message : undefined),
    change: (changed: Field) =>
      setFields((before) => before.map((field) => (field.name === changed.name ? changed : field))),
  };
}
