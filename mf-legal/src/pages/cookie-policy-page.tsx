import CookiePolicy, { headings } from '../../content/cookie-policy.md';
import { LegalPage } from '../legal-page/legal-page.tsx';

/** /cookie-policy (product document, section 2). */
export default function CookiePolicyPage() {
  return <LegalPage title="Cookie Policy" document={{ Text: CookiePolicy, headings }} />;
}
