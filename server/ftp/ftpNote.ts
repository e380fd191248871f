// What is worth a line in the log: without passwords, and without names that come from outside.

export type FtpNote =
  | { readonly kind: 'signed-in' | 'wrong-password'; readonly deviceId?: string; readonly remoteAddress: string }
  | { readonly kind: 'stored'; readonly deviceId: string; readonly bytes: number; readonly isWhole: boolean }
  | { readonly kind: 'sent'; readonly deviceId: string; readonly bytes: number; readonly isWhole: boolean };
