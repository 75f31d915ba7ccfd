/** Gives jsdom the two methods of a dialog that it leaves out; opening and closing is all that units need. */
export function addDialogMethods(): void {
  HTMLDialogElement.prototype.showModal ??= function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close ??= function close() {
    if (!this.open) return;
    this.open = false;
    this.dispatchEvent(new Event('close'));
  };
}
