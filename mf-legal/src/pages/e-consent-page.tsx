import ElectronicConsent, { headings } from '../../content/e-consent.md';
import { LegalPage } from '../legal-page/legal-page.tsx';

/** /e-consent (product document, section 2). */
export default function ElectronicConsentPage() {
  return <LegalPage title="Electronic Communications Consent" document={{ Text: ElectronicConsent, headings }} />;
}
