/** Parts of the present state that stay, beside the audit, which always does. */
export interface RestoreChoices {
  /** Members who have been disabled since stay so. */
  readonly disabled: boolean;
  readonly passwords: boolean;
  /** Revoked links. */
  readonly links: boolean;
  /** History that the archive doesn't have. */
  readonly history: boolean;
}

export const DEFAULT_CHOICES: RestoreChoices = { disabled: true, passwords: true, links: true, history: true };
