import { waitlistEntryIdLimit } from '@daybook/contract/calls';
import { emailOf } from '@daybook/contract/email';

export interface Visitor {
  readonly id: number | undefined;
  readonly email: string | undefined;
}

/** In order of preference. */
const idParameters = ['id', 'userId', 'uid'];
const emailParameters = ['email', 'e'];

/** Returns `undefined` for anything but a whole number in the range of entry ids. */
export function parseRegistrationId(text: string | null | undefined): number | undefined {
  const id = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return id > 0 && id < waitlistEntryIdLimit ? id : undefined;
}

/** Parses the email like a form: a page must not show arbitrary text from a link. */
export function parseEmail(text: string | null | undefined): string | undefined {
  return emailOf(text ?? '');
}

export function readVisitor(parameters: URLSearchParams): Visitor {
  return {
    id: idParameters.map((name) => parseRegistrationId(parameters.get(name))).find((id) => id !== undefined),
    email: emailParameters.map((name) => parseEmail(parameters.get(name))).find((email) => email !== undefined),
  };
}

export const offerPickerUrl = (visitor: Visitor) => withVisitor('/continue-registration', visitor);

export const thankYouUrl = (visitor: Visitor) => withVisitor('/thank-you', visitor);

function withVisitor(path: string, { id, email }: Visitor): string {
  const parameters = new URLSearchParams();
  if (id !== undefined) parameters.set('id', String(id));
  if (email !== undefined) parameters.set('email', email);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
