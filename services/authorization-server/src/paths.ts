/** The protocol's endpoints. Merchant pages have their paths beside their routes. */
export {
  AUTHORIZE_PATH,
  DEFAULT_DISCOVERY_PATH,
  JWKS_PATH,
  METADATA_PATH,
  TOKEN_PATH,
} from "@partner-connect/public-api";
