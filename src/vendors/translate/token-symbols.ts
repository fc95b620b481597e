/** All visible ASCII symbols except the comma, for the tokens of vendors that publish no format. */
export const ANY_SYMBOL = '!"#$%&\'()*+-./:;<=>?@[\\]^_`{|}~';
