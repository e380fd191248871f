/**
 * Device ids stand in addresses and name folders of recordings, so they have none of the characters that mean something
 * in either, and are no relative folder.
 */
export function isDeviceId(text: string): boolean {
  return /^(?!\.{1,2}$)[^/\\@?#\p{Cc}\p{Cs}]{1,64}$/u.test(text);
}
