/** Loads the font before the first layout: Chromium would do so only after it, and first paint the fallback. */
document.fonts?.forEach((font) => {
  font.load().catch(() => {});
});
