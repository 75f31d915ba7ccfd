import CaliforniaPrivacyNotice, { headings } from '../../content/california-privacy-notice.md';
import { LegalPage } from '../legal-page/legal-page.tsx';

/** /california-privacy-notice (product document, section 2). */
export default function CaliforniaPrivacyNoticePage() {
  return <LegalPage title="California Privacy Notice" document={{ Text: CaliforniaPrivacyNotice, headings }} />;
}
