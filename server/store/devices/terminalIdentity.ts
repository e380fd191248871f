/** Which edition of JT/T 808 the terminal was last seen to speak. */
export type Edition = '2011' | '2013' | '2019';

/** A terminal's number, as it is compared and as it came. */
export interface TerminalNumber {
  /** Decimal without leading zeros; lower-case hex when the field is no decimal number. */
  readonly canonical: string;
  /** The field's hex digits, 12 or 20. */
  readonly raw: string;
}

export interface AdoptedIdentity {
  readonly manufacturer: string;
  readonly terminalId: string;
}
