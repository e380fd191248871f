/** Shows the element alone on the screen, or leaves full screen when it is already. */
export async function toggleFullscreen(element: HTMLElement): Promise<void> {
  const { ownerDocument } = element;
  try {
    if (ownerDocument.fullscreenElement === element) await ownerDocument.exitFullscreen();
    else await element.requestFullscreen();
  } catch (error) {
    // The frame was not given the permission: the page plays on without full screen.
    console.warn('full screen was refused', error);
  }
}
