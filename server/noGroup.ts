/** The member group of a session that has none: no group has this number, so that it sees no device. */
export const NO_GROUP = 0;
