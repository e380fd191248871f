/** A statement that begins with it is answered with one row, in which each column has the numbers of all rows. */
export const COLUMNS_MARK = '/* columns */ ';
