/** Labels and messages of section 2 and 8 of the product document that all choice forms share. */
export const busyLabel = 'Processing...';
export const failureMessage = 'There was an error processing your request. Please try again.';
export const needsScript = 'Sending this form needs JavaScript. Please turn it on and reload the page, or email us.';
export const returnLabel = 'Return to Home';

/** Where requests are recorded, the confirmation says under which number; our wording. */
export const referenceCopy = {
  label: 'Your reference number:',
  advice: 'Please keep it, and quote it if you write to us.',
} as const;
export const recordedSupportNote = 'Questions about your request? Please quote the reference number when you email';
