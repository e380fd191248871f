/** What the receiving process tells first. */
export type ReceiverReady =
  | { readonly kind: 'bare'; readonly port: number }
  | {
      readonly kind: 'ftp';
      readonly logins: readonly {
        readonly port: number;
        readonly user: string;
        readonly password: string;
        readonly path: string;
      }[];
    };

/** When it is asked: how much its memory has grown at most since it was ready. */
export interface ReceiverReport {
  readonly grownBytes: number;
  readonly storedBytes: number;
}
