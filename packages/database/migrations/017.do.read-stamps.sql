-- A resource server tells by the shop's newest stamp that a caller has a page already: services/resource-server, pages.ts.
GRANT SELECT ON survey.stamps TO resource_server;
