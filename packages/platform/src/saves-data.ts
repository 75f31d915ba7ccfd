/** Of the Network Information API, which not every browser has, what counts here. */
interface NavigatorWithConnection {
  readonly connection?: { readonly saveData?: boolean };
}

/** Whether the visitor asked the browser to use little data. */
export const savesData = (): boolean => (navigator as NavigatorWithConnection).connection?.saveData === true;
