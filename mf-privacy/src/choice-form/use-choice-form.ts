import { useSiteSettings } from '@daybook/platform';
import { useState } from 'react';
import type { Choice } from './choice.ts';
import { failureMessage } from './choice-form-copy.ts';
import { processRequest } from './process-request.ts';

/** `failed` is editing again, after an unexpected failure. */
export type ChoiceFormStatus = 'editing' | 'submitting' | 'failed' | 'submitted';

type ByField = Readonly<Record<string, string>>;

/**
 * The states and rules that all choice forms share (product document, sections 4, 5 and 8). Each message is
 * set inline first and then given as a native alert: browsers may suppress alerts, and an alert is gone once
 * it is read.
 */
export function useChoiceForm({ requestName, fields }: Choice) {
  const { supportAddress } = useSiteSettings();
  const [status, setStatus] = useState<ChoiceFormStatus>('editing');
  const [answers, setAnswers] = useState<ByField>(() =>
    Object.fromEntries(fields.map(({ name, initialAnswer }) => [name, initialAnswer])),
  );
  const [problems, setProblems] = useState<ByField>({});

  async function submit() {
    if (status === 'submitting') return;
    const details = Object.fromEntries(fields.map(({ name }) => [name, (answers[name] ?? '').trim()]));
    const refused = fields.flatMap((field) => {
      const problem = field.problemWith(details[field.name] ?? '');
      return problem === undefined ? [] : [{ field, problem }];
    });
    setProblems(Object.fromEntries(refused.map(({ field, problem }) => [field.name, problem])));
    const [first] = refused;
    if (first) {
      setStatus('editing');
      alert(first.problem);
      document.getElementById(first.field.focusId)?.focus();
      return;
    }
    setStatus('submitting');
    try {
      await processRequest({ requestName, supportAddress, details });
      setStatus('submitted');
    } catch (error) {
      setStatus('failed');
      console.error(`${requestName} failed:`, error);
      alert(failureMessage);
    }
  }

  return {
    status,
    submit,
    answerOf: (name: string) => answers[name] ?? '',
    problemOf: (name: string) => problems[name],
    answer: (name: string, answer: string) => setAnswers((before) => ({ ...before, [name]: answer })),
  };
}
