/** The part of the Network Information API that is used here; not every browser has it. */
interface NavigatorWithConnection {
  readonly connection?: { readonly saveData?: boolean };
}

/** Returns whether the visitor has enabled the browser's data saver. */
export const savesData = (): boolean => (navigator as NavigatorWithConnection).connection?.saveData === true;
