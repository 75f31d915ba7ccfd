// Written by mf-offers/guide/make-guide.ts, like the PDF.

/** What the download page states of the guide, so that it is always true; `bytes` is the size of the PDF. */
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
  firstTopicNumber: 3,
  pages: 22,
  bytes: 278612,
};

/** SHA-256 of the guide's Markdown and layout, from which the PDF was made. */
export const madeFrom = 'dba2c67416cff8f46361ea8a64ff20be1e2b4692ff55e58970a7594c2da8b2fa';
