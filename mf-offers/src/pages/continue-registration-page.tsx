import { useState } from 'react';
import { OfferPicker } from '../offer-picker/offer-picker.tsx';
import { RegistrationNotFound } from '../offer-picker/registration-not-found.tsx';
import { useLiteralParameters } from '../visitor/use-literal-parameters.ts';
import { parseEmailAddress, parseRegistrationId } from '../visitor/visitor.ts';

/**
 * /continue-registration (product document, section 2): the offers, for a visitor whose registration the address names.
 * They are the same for everyone, so they are there to be read and ticked before it is known who that is.
 */
export default function ContinueRegistrationPage() {
  const parameters = useLiteralParameters();
  const id = parseRegistrationId(parameters?.get('id'));
  const [firstId, setFirstId] = useState(id);
  if (firstId === undefined && id !== undefined) setFirstId(id);

  if (parameters !== undefined && id === undefined) return <RegistrationNotFound />;
  const visitor = id === undefined ? undefined : { id, email: parseEmailAddress(parameters?.get('email')) };
  // The first registration keeps what was ticked before it was known; another one begins anew.
  return <OfferPicker key={id === firstId ? 'first' : id} visitor={visitor} />;
}
