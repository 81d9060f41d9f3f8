/**
 * Which way imports may point: main → app → route → rules, queries, stores → packages. The services
 * meet at HTTP, the JWKS and packages, never in each other's code. `pnpm imports` holds it.
 */

/**
 * A service's features: folders that don't know each other, but for those that {@link BELOW} names.
 */
const FEATURES = {
  "authorization-server": [
    "authorize",
    "token",
    "partner-api",
    "sign-in",
    "account",
    "consent",
    "partner",
    "developer-docs",
  ],
  "resource-server": ["responses", "questions", "sources", "connection", "deleted-responses"],
  worker: ["webhooks", "mail", "back-office", "internal-api"],
};

/**
 * Features that others depend on. An authorization request begins at the partner's link, in
 * authorize, which has its type, and continues in consent.
 */
const BELOW = {
  authorize: ["consent"],
  consent: ["authorize", "sign-in"],
  account: ["sign-in"],
  partner: ["sign-in"],
};

/** Files that depend only on their arguments: no Fastify, no store, no SQL. */
const RULES = [
  "services/authorization-server/src/authorize/authorization-request",
  "services/authorization-server/src/consent/(sealed-request|authorization-secret)",
  "services/authorization-server/src/redirect-uri",
  "services/authorization-server/src/sealed-text",
  "services/authorization-server/src/(token/token-request|clients/token-error)",
  "services/resource-server/src/responses/list-parameters",
  "services/resource-server/src/deleted-responses/deletion-parameters",
  "services/resource-server/src/pagination/page-parameters",
  "packages/contract/src/[^/]+",
  "packages/connections/src/connection",
  "packages/directory/src/(clients/registrable-redirect-uri|merchants/email|display-name|passwords/password-rule)",
  "packages/signing-keys/src/rotation",
];

const SOURCES = { pathNot: "\\.test\\.ts$|/testing(\\.ts|/)" };

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const siblings = Object.entries(FEATURES).flatMap(([service, features]) =>
  features.map((feature) => {
    const others = features
      .filter((other) => other !== feature && !BELOW[feature]?.includes(other))
      .join("|");
    return rule(
      `${service}-${feature}-stands-alone`,
      "Features don't import each other: what two of them need has a folder of its own, or is a package.",
      { ...SOURCES, path: `^services/${service}/src/${feature}/` },
      { path: `^services/${service}/src/(${others})/` },
    );
  }),
);

/** Packages, from the ground up. `erasure` alone knows all that is stored of a shop. */
const ROOMS = [
  ...["contract", "service-runtime", "database", "audit|jobs", "mail", "directory"],
  ...["connections|survey-data", "erasure"],
];

const rooms = ROOMS.map((room, index) =>
  rule(
    `${room}-stands-on-rooms-below`,
    "A room knows only those below it, and nothing of who uses it. Its tests may know more.",
    { ...SOURCES, path: `^packages/(${room})/` },
    { path: `^packages/(?!($1|${ROOMS.slice(0, index).join("|")})/)` },
  ),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    rule(
      "no-circles",
      "Two files that need each other are one, or hide a third.",
      {},
      { circular: true },
    ),
    rule(
      "nothing-missing",
      "An import of a file or package that is not there.",
      {},
      { couldNotResolve: true },
    ),
    rule(
      "services-stand-alone",
      "Services never import each other.",
      { path: "^services/([^/]+)/" },
      { path: "^services/(?!$1/)" },
    ),
    rule(
      "packages-below-services",
      "A package knows nothing of who uses it.",
      { path: "^packages/" },
      { path: "^(services|test)/" },
    ),
    rule(
      "packages-by-their-face",
      "A package is imported by its name, and so by what its package.json exports, never by a path into it.",
      { path: "^(?:(?:services|packages)/([^/]+)|test)/" },
      {
        path: "^packages/(?!$1/)[^/]+/src/(?!(index|environment/environment|process/(free-port|lock-file|memory-counts)|html|generated/index|activity|changes/index|webhooks/index|openapi/index|sqlite|(changes/)?testing(/index|/suite)?)\\.ts$)",
      },
    ),
    ...rooms,
    rule(
      "postgres-by-one-package",
      "Statements are sent by packages/database: it knows the driver, and has the types.",
      { pathNot: "^(packages/database|services/worker/example)/" },
      { path: "node_modules/postgres/" },
    ),
    rule(
      "local-stack-is-for-development",
      "Nothing that runs in production needs it.",
      { path: "^(services|packages)/(?!local-stack/)" },
      { path: "^packages/local-stack/" },
    ),
    rule(
      "the-sample-is-a-partners",
      "A partner can take its folder: it stands on the SDK alone.",
      { ...SOURCES, path: "^packages/sample-partner/" },
      { path: "^packages/(?!(sample-partner|partner-sdk)/)" },
    ),
    rule(
      "sources-without-tests",
      "Only tests use what tests are made of.",
      { ...SOURCES, path: "^(services|packages)/" },
      { path: "^test/" },
    ),
    rule(
      "made-up-data-stays-out-of-production",
      "Only the local stack, test shops, tests and benchmarks make survey data up.",
      {
        ...SOURCES,
        path: "^(services|packages)/(?!local-stack/|survey-data/src/generated/|worker/src/back-office/test-shops)",
      },
      { path: "^packages/survey-data/src/generated/" },
    ),
    rule(
      "tests-of-parts-are-not-sources",
      "What only tests need stays out of what runs.",
      { ...SOURCES, path: "^(services|packages)/" },
      { path: "\\.test\\.ts$|/testing(\\.ts|/)" },
    ),
    rule(
      "tests-from-outside",
      "End-to-end tests reach the system as its users do; only what starts and breaks it comes from a package, the client of Postgres, and what partners use.",
      { path: "^test/(e2e|faults|clients)/.*\\.test\\.ts$" },
      {
        path: "^(services|packages)/",
        pathNot:
          "^packages/(database/src/index|local-stack/src/(index|testing)|partner-sdk/src/(index|sqlite))\\.ts$",
      },
    ),
    rule(
      "main-is-the-top",
      "Nobody imports an entry point; of a service, only main and tests import app.",
      { ...SOURCES, pathNot: `${SOURCES.pathNot}|[/.]main\\.ts$` },
      { path: "(^|[/.])main\\.ts$|^services/[^/]+/src/app\\.ts$" },
    ),
    rule(
      "features-below-app",
      "Routes and what is below them don't know the application that they are part of.",
      { ...SOURCES, path: "^services/[^/]+/src/[^/]+/" },
      { path: "^services/[^/]+/src/(app|main)\\.ts$" },
    ),
    rule(
      "the-library-has-one-door",
      "Only provider/ knows oidc-provider, so that its upgrade, or its end, is a matter of one folder.",
      { path: "^services/", pathNot: "^services/authorization-server/src/provider/" },
      { path: "node_modules/(@types/)?oidc-provider/" },
    ),
    rule(
      "rules-are-pure",
      "A rule decides by its arguments: no Fastify, no Redis, no SQL.",
      { path: `^(${RULES.join("|")})\\.ts$` },
      {
        path: "node_modules/(fastify|@fastify|ioredis|postgres)/|\\.(query|route)\\.ts$|-(store|adapter)\\.ts$",
      },
    ),
    rule(
      "images-are-decoded-by-operators",
      "A decoder of images is large, and a target for attacks: services store and send what it made, and never run it.",
      { ...SOURCES, pathNot: `${SOURCES.pathNot}|^packages/operator-cli/src/commands/logo-image` },
      { path: "node_modules/sharp/" },
    ),
    rule(
      "pages-know-no-feature",
      "They are what all pages share. The one stylesheet has consent's styles too.",
      { ...SOURCES, path: "^services/authorization-server/src/(pages|browser)/" },
      {
        path: "^services/authorization-server/src/(?!pages/|browser/|texts/|sealed-text\\.ts|sign-in/passkeys/passkey\\.js)",
      },
    ),
    rule(
      "clients-know-no-feature",
      "The token endpoint, the partners' API and the consent stand on it.",
      { ...SOURCES, path: "^services/authorization-server/src/clients/" },
      {
        path: "^services/authorization-server/src/[^/]+/",
        pathNot: "^services/authorization-server/src/clients/",
      },
    ),
    ...siblings,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^packages/developer-docs/built/" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "types"],
    },
  },
};
