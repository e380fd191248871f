// How long a password may be. The pages say so before the gateway has to.

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 256;
