/** Makes a page believe that the visitor saves data, so that nothing is prefetched. Runs in the page. */
export function saveData(): void {
  const connection = (navigator as Navigator & { readonly connection?: object }).connection;
  if (connection) Object.defineProperty(connection, 'saveData', { value: true });
}
