/** `npm run test:long`: the counts and times are those that take too long for every change. */
export const IS_LONG = process.env.LONG_TESTS === 'true';
