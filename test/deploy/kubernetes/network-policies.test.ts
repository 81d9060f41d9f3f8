import { beforeAll, describe, expect, test } from "vitest";
import { HAS_KUBECTL } from "./kubectl.ts";
import { type KubernetesObject, render, renderEverything } from "./render.ts";

interface Pod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { key: string; operator: string; values: readonly string[] }[];
}

const ours = (name: string): Pod => ({ namespace: "partner-connect", labels: { "app.kubernetes.io/name": name } });
const store = (name: string): Pod => ({
  namespace: "partner-connect-stores",
  labels: { "partner-connect/store": name },
});
const POD = {
  gateway: { namespace: "envoy-gateway-system", labels: {} },
  prometheus: { namespace: "monitoring", labels: { "app.kubernetes.io/name": "prometheus" } },
  collector: { namespace: "monitoring", labels: { "app.kubernetes.io/name": "otel-collector" } },
  stranger: { namespace: "default", labels: {} },
  "authorization-server": ours("authorization-server"),
  "resource-server": ours("resource-server"),
  operator: ours("operator"),
  postgres: store("postgres"),
  redis: store("redis"),
  "resource-server-redis": store("resource-server-redis"),
} satisfies Record<string, Pod>;
type Name = keyof typeof POD;

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

let policies: KubernetesObject[] = [];

/** Kubernetes's rule: once a policy concerns a pod's direction, only what some policy allows passes. */
function passes(direction: "Ingress" | "Egress", pod: Pod, other: Pod, port: number): boolean {
  const concerned = policies.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.namespace &&
      spec.policyTypes.includes(direction) &&
      selects(spec.podSelector, pod.labels),
  );
  const isPeer = (peer: { namespaceSelector?: Selector; podSelector?: Selector }) =>
    (peer.namespaceSelector
      ? selects(peer.namespaceSelector, { "kubernetes.io/metadata.name": other.namespace })
      : other.namespace === pod.namespace) && selects(peer.podSelector, other.labels);
  const [list, peers] = direction === "Ingress" ? (["ingress", "from"] as const) : (["egress", "to"] as const);
  return (
    concerned.length === 0 ||
    concerned.some(({ spec }) =>
      (spec[list] ?? []).some(
        (rule: { ports?: { port: number }[] } & Record<string, []>) =>
          (rule.ports ?? [{ port }]).some((one) => one.port === port) && (rule[peers] ?? []).some(isPeer),
      ),
    )
  );
}

const mayCall = (from: Name, to: Name, port: number) =>
  passes("Egress", POD[from], POD[to], port) && passes("Ingress", POD[to], POD[from], port);

/** Who may call each port, of the pods above. Stores are left out: in their own namespace they talk to each other. */
const ALLOWED: readonly (readonly [to: Name, port: number, from: readonly Name[]])[] = [
  ["authorization-server", 3000, ["gateway", "resource-server"]],
  ["authorization-server", 9000, ["operator", "prometheus"]],
  ["resource-server", 3000, ["gateway"]],
  ["resource-server", 9000, ["operator", "prometheus"]],
  ["operator", 3000, []],
  ["operator", 9000, []],
  ["postgres", 5432, ["authorization-server", "operator", "resource-server"]],
  ["redis", 6379, ["authorization-server", "operator"]],
  ["resource-server-redis", 6379, ["operator", "resource-server"]],
];

const isStore = (name: Name) => POD[name].namespace === "partner-connect-stores";

describe.skipIf(!HAS_KUBECTL)("network policies", () => {
  beforeAll(async () => {
    const parts = await Promise.all([render("example/first"), render("example/stores"), renderEverything()]);
    policies = parts.flat().filter(({ kind }) => kind === "NetworkPolicy");
  });

  test.each(ALLOWED)("%s:%i is open to these alone: %j [kubernetes.network]", (to, port, from) => {
    const callers = (Object.keys(POD) as Name[]).filter((name) => !isStore(name));
    expect(callers.filter((name) => mayCall(name, to, port)).sort()).toEqual(from);
  });

  test("traces leave the services for the collector alone [kubernetes.network]", () => {
    const leaves = (from: Name, to: Name) => passes("Egress", POD[from], POD[to], 4318);
    expect(leaves("authorization-server", "collector") && leaves("resource-server", "collector")).toBe(true);
    expect(leaves("operator", "collector") || leaves("resource-server", "stranger")).toBe(false);
  });

  test("no pod of ours reaches anything outside of the cluster [kubernetes.network]", () => {
    const outside: Pod = { namespace: "elsewhere", labels: {} };
    for (const name of ["authorization-server", "resource-server", "operator"] as const) {
      for (const port of [80, 443, 5432, 6379]) expect(passes("Egress", POD[name], outside, port)).toBe(false);
    }
  });
});
