import { ChoicePage } from '../choice-form/choice-page.tsx';
import { targetedOptOut } from '../choices/targeted-opt-out.ts';

/** /targeted-opt-out (product document, section 2). */
export default function TargetedOptOutPage() {
  return <ChoicePage choice={targetedOptOut} />;
}
