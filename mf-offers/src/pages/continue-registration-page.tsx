import { OfferPicker } from '../offer-picker/offer-picker.tsx';
import { OffersLoading } from '../offer-picker/offers-loading.tsx';
import { RegistrationNotFound } from '../offer-picker/registration-not-found.tsx';
import { useLiteralParameters } from '../visitor/use-literal-parameters.ts';
import { parseEmailAddress, parseRegistrationId } from '../visitor/visitor.ts';

/** /continue-registration (product document, section 2): the offers, for a visitor whose registration the address names. */
export default function ContinueRegistrationPage() {
  const parameters = useLiteralParameters();
  if (parameters === undefined) return <OffersLoading />;
  const id = parseRegistrationId(parameters.get('id'));
  if (id === undefined) return <RegistrationNotFound />;
  return <OfferPicker key={id} visitor={{ id, email: parseEmailAddress(parameters.get('email')) }} />;
}
