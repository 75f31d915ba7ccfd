// Written by mf-offers/guide/make-guide.ts, like the PDF.

/** What the download page states of the guide; `bytes` is the size of the PDF. */
export const guideFacts = {
  title: 'The Senior Savings Guide',
  subtitle: 'How to find up to $5,000 a year in savings and benefits, one call at a time.',
  topics: [
    'Medicare costs',
    'Prescriptions',
    'Food',
    'Your home',
    'Heat, light and water',
    'Phone, internet and rides',
    'Taxes',
    'Money that is already yours',
  ],
  pages: 22,
  bytes: 279015,
};

/** SHA-256 of the guide's Markdown and layout, from which the PDF was made. */
export const madeFrom = 'f8968870435b22049a608425d064a577f6c5ad60a93fa8c2f076dceb81e8ab23';
