import { readFileSync } from "node:fs";

export const MERCHANTS = [
  {
    name: "Nora Northwind",
    email: "nora@northwind.example",
    shops: [
      { name: "Northwind Coffee", domain: "northwind-coffee.example", plan: "advanced_attribution", responses: 3000 },
      { name: "Northwind Tea", domain: "northwind-tea.example", plan: "standard", responses: 1500 },
    ],
  },
  {
    name: "Liam Lumen",
    email: "liam@lumen.example",
    shops: [{ name: "Lumen Lamps", domain: "lumen-lamps.example", plan: "standard", responses: 500 }],
  },
] as const;

/** A partner whose app runs on this machine: a loopback redirect URI holds for any port. */
export const CLIENT = {
  name: "Attribution Insights",
  redirectUris: ["http://localhost:3000/callback"],
  scope: ["responses:read", "sources:write"],
  publisher: "Insights Demo Ltd",
  website: "https://insights.example/",
  privacyPolicy: "https://insights.example/privacy",
  logo: readFileSync(new URL("demo-logo.webp", import.meta.url)),
  // A start that was interrupted may have made it already, and its secret is lost.
  allowDuplicateName: true,
} as const;
