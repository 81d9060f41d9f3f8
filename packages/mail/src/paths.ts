/** Of the merchant pages that mailed links lead to; the token is the parameter `link`. */
export const CONFIRM_ADDRESS_PATH = "/oauth/confirm-address";
export const NOT_ME_PATH = "/oauth/not-me";
