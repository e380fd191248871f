/** Why a client is turned away: a code that pages can translate, and the same in English. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}
