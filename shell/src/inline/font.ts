/**
 * Loads the font in the inlined style before the first layout: Chromium would do so only after it, and first paint the
 * fallback. Browsers that block fonts reject, or have none.
 */
document.fonts?.forEach((font) => {
  font.load().catch(() => {});
});
