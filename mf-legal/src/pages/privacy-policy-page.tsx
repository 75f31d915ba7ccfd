import PrivacyPolicy, { headings } from '../../content/privacy-policy.md';
import { LegalPage } from '../legal-page/legal-page.tsx';

/** /privacy-policy (product document, section 2). */
export default function PrivacyPolicyPage() {
  return <LegalPage title="Privacy Policy" document={{ Text: PrivacyPolicy, headings }} />;
}
