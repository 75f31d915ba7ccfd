/** Labels and messages of section 2 and 8 of the product document that all choice forms share. */
export const busyLabel = 'Processing...';
export const failureMessage = 'There was an error processing your request. Please try again.';
export const returnLabel = 'Return to Home';
