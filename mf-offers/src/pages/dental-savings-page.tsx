import { dentalSavings } from '../offer-landing/offer-landing-copy.ts';
import { OfferLandingPage } from '../offer-landing/offer-landing-page.tsx';

/** /offer-landing/dental-savings (product document, section 2). */
export default function DentalSavingsPage() {
  return <OfferLandingPage offer={dentalSavings} />;
}
