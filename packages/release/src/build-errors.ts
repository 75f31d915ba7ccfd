/** File beside a watching build with the errors of its last compilation as text; only while it has any. */
export const buildErrorsFileName = 'errors.txt';
