/** Of the merchant page that a mailed link leads to; the token is the parameter `link`. */
export const NOT_ME_PATH = "/oauth/not-me";
