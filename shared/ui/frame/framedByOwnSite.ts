/** Whether a page of this site frames this one; a frame of another site cannot be asked anything. */
export function isFramedByOwnSite(): boolean {
  if (window.parent === window) return false;
  try {
    // Reading another site's address throws, which is how one tells.
    return window.parent.location.origin === window.location.origin;
  } catch {
    return false;
  }
}
