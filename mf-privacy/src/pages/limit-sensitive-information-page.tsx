import { ChoicePage } from '../choice-form/choice-page.tsx';
import { limitSensitiveInformation } from '../choices/limit-sensitive-information.ts';

/** /limit-sensitive-info (product document, section 2). */
export default function LimitSensitiveInformationPage() {
  return <ChoicePage choice={limitSensitiveInformation} />;
}
