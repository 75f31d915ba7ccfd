import axe from 'axe-core';

/** Returns what axe finds wrong with an element of a page: one rule each, with its elements. */
export async function accessibilityViolations(element: Element) {
  // Only a whole page has landmarks, and jsdom knows no colors.
  const rules = { region: { enabled: false }, 'color-contrast': { enabled: false } };
  const { violations } = await axe.run(element, { rules });
  return violations;
}
