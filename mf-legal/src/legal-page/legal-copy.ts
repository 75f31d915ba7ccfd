/** All legal pages carry the same date (product document, section 2). */
export const lastUpdated = { label: 'Last Updated:', text: 'May 20, 2025', machineReadable: '2025-05-20' } as const;

export const contentsHeading = 'Contents';

export const contact = {
  heading: 'Contact',
  email: 'Email',
  post: 'Post',
} as const;
