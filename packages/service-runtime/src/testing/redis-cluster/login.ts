/** How clients and nodes reach a node. */
export interface Login {
  /** Of the user `default`. */
  readonly password?: string | undefined;
  /** Files in PEM. Nodes speak TLS with each other too; a client needs no certificate. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authority: string } | undefined;
}

export function loginArguments({ password, tls }: Login, port: number): string[] {
  return [
    ...(tls ? ["--port", "0", "--tls-port", String(port)] : ["--port", String(port)]),
    ...(tls ? ["--tls-cluster", "yes", "--tls-replication", "yes", "--tls-auth-clients", "no"] : []),
    ...(tls
      ? ["--tls-cert-file", tls.certificate, "--tls-key-file", tls.key, "--tls-ca-cert-file", tls.authority]
      : []),
    ...(password === undefined ? [] : ["--requirepass", password, "--masterauth", password]),
  ];
}

/** As `REDIS_URL` has it. */
export function clusterUrl({ password, tls }: Login, ports: readonly number[]): string {
  const hosts = ports.map((port) => `${tls ? "localhost" : "127.0.0.1"}:${port}`).join(",");
  const user = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
  return `${tls ? "rediss" : "redis"}+cluster://${user}${hosts}`;
}
