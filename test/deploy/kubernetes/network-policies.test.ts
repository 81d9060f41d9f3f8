import { BlockList, isIPv6 } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { HAS_KUBECTL, type KubernetesObject, render, renderEverything } from "./render.ts";

interface Pod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Default: one of the cluster's. */
  readonly address?: string;
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    key: string;
    operator: string;
    values: readonly string[];
  }[];
}

const ours = (name: string): Pod => ({
  namespace: "partner-connect",
  labels: { "app.kubernetes.io/name": name },
});
const store = (name: string): Pod => ({
  namespace: "partner-connect-stores",
  labels: { "partner-connect/store": name },
});
const POD = {
  gateway: { namespace: "envoy-gateway-system", labels: {} },
  prometheus: { namespace: "monitoring", labels: { "app.kubernetes.io/name": "prometheus" } },
  product: { namespace: "survey-product", labels: {} },
  stranger: { namespace: "default", labels: {} },
  "authorization-server": ours("authorization-server"),
  "resource-server": ours("resource-server"),
  worker: ours("worker"),
  "back-office": ours("back-office"),
  operator: ours("operator"),
  postgres: store("postgres"),
  redis: store("redis"),
  "resource-server-redis": store("resource-server-redis"),
} satisfies Record<string, Pod>;
type Name = keyof typeof POD;
const SERVICES = ["authorization-server", "resource-server", "worker", "back-office"] as const;

function selects(selector: Selector | undefined, labels: Pod["labels"]): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== "In") throw new Error(`not known here: ${operator}`);
      return values.includes(labels[key] ?? "");
    })
  );
}

interface Peer {
  readonly namespaceSelector?: Selector;
  readonly podSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

function isWithin(address: string, { cidr, except = [] }: NonNullable<Peer["ipBlock"]>): boolean {
  const type = isIPv6(address) ? "ipv6" : "ipv4";
  const contains = (block: string) => {
    const [network = "", bits] = block.split("/");
    if (isIPv6(network) !== isIPv6(address)) return false;
    const list = new BlockList();
    list.addSubnet(network, Number(bits), type);
    return list.check(address, type);
  };
  return contains(cidr) && !except.some(contains);
}

let policies: KubernetesObject[] = [];

/** Kubernetes's rule: where a policy applies, only traffic passes that some policy allows. */
function passes(direction: "Ingress" | "Egress", pod: Pod, other: Pod, port: number): boolean {
  const concerned = policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace &&
      spec.policyTypes.includes(direction) &&
      selects(spec.podSelector, pod.labels),
  );
  const isPeer = (peer: Peer) =>
    peer.ipBlock
      ? isWithin(other.address ?? "10.244.0.9", peer.ipBlock)
      : (peer.namespaceSelector
          ? selects(peer.namespaceSelector, { "kubernetes.io/metadata.name": other.namespace })
          : other.namespace === pod.namespace) && selects(peer.podSelector, other.labels);
  const [list, peers] =
    direction === "Ingress" ? (["ingress", "from"] as const) : (["egress", "to"] as const);
  return (
    concerned.length === 0 ||
    concerned.some(({ spec }) =>
      (spec[list] ?? []).some(
        (rule: { ports?: { port?: number }[] } & Record<string, []>) =>
          (rule.ports ?? [{}]).some((one) => (one.port ?? port) === port) &&
          (rule[peers] ?? []).some(isPeer),
      ),
    )
  );
}

const mayCall = (from: Name, to: Name, port: number) =>
  passes("Egress", POD[from], POD[to], port) && passes("Ingress", POD[to], POD[from], port);

/** The pods that may call each port, without stores, which may call each other. */
const ALLOWED: readonly (readonly [to: Name, port: number, from: readonly Name[]])[] = [
  ["authorization-server", 3000, ["gateway", "resource-server"]],
  ["authorization-server", 9000, ["operator", "prometheus"]],
  ["resource-server", 3000, ["gateway"]],
  ["resource-server", 9000, ["operator", "prometheus"]],
  ["worker", 3000, []],
  ["worker", 9000, ["operator", "prometheus"]],
  ["back-office", 3000, ["product"]],
  ["back-office", 9000, ["operator", "prometheus"]],
  ["operator", 3000, []],
  ["operator", 9000, []],
  [
    "postgres",
    5432,
    ["authorization-server", "back-office", "operator", "resource-server", "worker"],
  ],
  ["redis", 6379, ["authorization-server", "operator"]],
  ["resource-server-redis", 6379, ["operator", "resource-server"]],
];

const isStore = (name: Name) => POD[name].namespace === "partner-connect-stores";

describe.skipIf(!HAS_KUBECTL)("network policies", () => {
  beforeAll(async () => {
    const parts = await Promise.all([
      render("example/first"),
      render("example/stores"),
      renderEverything(),
    ]);
    policies = parts.flat().filter(({ kind }) => kind === "NetworkPolicy");
  });

  test("each port accepts connections only from its callers", () => {
    const callers = (Object.keys(POD) as Name[]).filter((name) => !isStore(name)).sort();
    const found = ALLOWED.map(([to, port]) => [
      to,
      port,
      callers.filter((name) => mayCall(name, to, port)),
    ]);
    expect(found).toEqual(ALLOWED);
  });

  const portsOf = (from: Name, address: string) =>
    [80, 443, 5432, 6379].filter((port) =>
      passes("Egress", POD[from], { namespace: "elsewhere", labels: {}, address }, port),
    );
  const reaches = (from: Name, address: string) => portsOf(from, address).length > 0;

  test("only the worker, and with openid the authorization server by HTTPS, can reach addresses outside the cluster", () => {
    const all = policies;
    for (const address of ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"]) {
      expect(portsOf("authorization-server", address)).toEqual([443]);
      policies = all.filter(({ metadata }) => metadata.name !== "openid");
      expect([...SERVICES, "operator" as const].filter((name) => reaches(name, address))).toEqual([
        "worker",
      ]);
      policies = all;
    }
  });

  const INWARD = `
    10.0.0.1 10.244.0.9 100.64.0.1 127.0.0.1 169.254.169.254 172.31.255.255 192.168.1.1 0.0.0.0
    198.18.0.1 224.0.0.1 255.255.255.255 ::1 ::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::
    fd00:ec2::254 fe80::1 ff02::1`;
  test("the worker and the authorization server reach no internal address", () => {
    expect(
      INWARD.trim()
        .split(/\s+/)
        .filter(
          (address) => reaches("worker", address) || reaches("authorization-server", address),
        ),
    ).toEqual([]);
  });
});
