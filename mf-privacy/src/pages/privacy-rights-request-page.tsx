import { ChoicePage } from '../choice-form/choice-page.tsx';
import { privacyRightsRequest } from '../choices/privacy-rights-request.ts';

/** /privacy-rights-request (product document, section 2). */
export default function PrivacyRightsRequestPage() {
  return <ChoicePage choice={privacyRightsRequest} />;
}
