import { emergencyPendant } from '../offer-landing/offer-landing-copy.ts';
import { OfferLandingPage } from '../offer-landing/offer-landing-page.tsx';

/** /offer-landing/emergency-pendant (product document, section 2). */
export default function EmergencyPendantPage() {
  return <OfferLandingPage offer={emergencyPendant} />;
}
