import Terms, { headings } from '../../content/terms.md';
import { LegalPage } from '../legal-page/legal-page.tsx';

/** /terms (product document, section 2). */
export default function TermsPage() {
  return <LegalPage title="Terms of Service" document={{ Text: Terms, headings }} />;
}
