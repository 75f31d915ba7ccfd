import { hearingAids } from '../offer-landing/offer-landing-copy.ts';
import { OfferLandingPage } from '../offer-landing/offer-landing-page.tsx';

/** /offer-landing/hearing-aids (product document, section 2). */
export default function HearingAidsPage() {
  return <OfferLandingPage offer={hearingAids} />;
}
