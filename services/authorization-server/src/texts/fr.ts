import { SCOPE_TITLES } from "@partner-connect/contract";
import { html } from "@partner-connect/service-runtime/html";
import type { Texts } from "./en.ts";

const inMinutes = (minutes: number) => new Intl.RelativeTimeFormat("fr").format(minutes, "minute");

/** A `\u00a0` keeps a punctuation mark on the line of its word. */
export const fr: Texts = {
  language: "fr",
  languageName: "Français",
  skipToContent: "Aller au contenu",
  contact: "Contactez-nous",
  tryAgain: "Réessayer",
  plan: { standard: "forfait Standard", advanced_attribution: "forfait Attribution avancée" },
  scope: {
    "responses:read": {
      title: SCOPE_TITLES.fr["responses:read"],
      does: "Toutes les réponses, passées et à venir, sans pouvoir les modifier ni les supprimer.",
      personalData: "Y compris les adresses e-mail, les commandes et les visites de vos clients.",
    },
    "sources:write": {
      title: SCOPE_TITLES.fr["sources:write"],
      does: "Des sources que vos clients peuvent citer dans votre sondage, comme des podcasts.",
      personalData: null,
    },
  },
  frame: {
    language: "Langue",
    help: "Aide",
    privacy: "Confidentialité",
    terms: "Conditions d’utilisation",
    account: "Compte",
    partner: "Pages partenaires",
    docs: "Documentation",
    error: "Erreur\u00a0:",
    cookies: (host) => html`Autorisez les cookies pour ${host}, puis réessayez.`,
    outOfDate: "Cette page n’était plus à jour. Rien n’a été modifié. Vérifiez-la et réessayez.",
  },
  help: {
    heading: "Ce qu’il faut savoir sur les applications connectées",
    answers: {
      app: "Qu’est-ce qu’une application connectée, et que lit-elle\u00a0?\nL’application d’une autre société, que vous ou un autre membre de votre boutique avez autorisée à utiliser les données de sondage de la boutique.\nElle lit ce que vous avez autorisé\u00a0: en général, le nom, le domaine, le forfait et les questions de la boutique, et toutes les réponses, passées et futures, avec les adresses e-mail, les commandes et les visites de vos clients, et ce qu’ils ont écrit (des noms seulement s’ils y figurent).\nElle ne peut ni modifier ni supprimer les réponses, et ne voit jamais votre mot de passe. Une seconde autorisation lui permet d’ajouter des sources, comme des podcasts. Pour voir ses autorisations, choisissez la boutique dans Applications connectées.",
      paused:
        "Que signifie Suspendue\u00a0?\nNous avons arrêté l’accès de l’application à cette boutique. Rien n’est supprimé. Pour en connaître la raison, contactez-nous.\nVous pouvez la déconnecter, mais personne ne peut l’approuver de nouveau avant la fin de la suspension. Après une longue suspension, vous devrez peut-être la connecter à nouveau.",
      "connect-again":
        "Pourquoi une application est-elle expirée ou non terminée, ou dois-je la connecter à nouveau\u00a0?\nElle n’a pas été utilisée depuis longtemps (30 jours en général), n’a pas terminé la connexion, a besoin d’autres autorisations ou a perdu son accès, ou a été déconnectée par votre boutique, par la société qui l’édite ou par nous. Commencez dans l’application, puis approuvez-la à nouveau. Si elle est suspendue, contactez-nous d’abord.",
      plan: "Pourquoi ne puis-je pas choisir ma boutique, ou pourquoi une application dit-elle ne pas avoir accès\u00a0?\nSi la boutique n’est pas dans la liste, ce compte n’en est pas membre\u00a0: utilisez un autre compte, ou contactez-nous. Si elle y est, la page indique la raison\u00a0: l’application est suspendue, ou le forfait n’inclut pas une autorisation.\nAprès un passage au forfait inférieur, une application peut toujours lire, mais plus ajouter de sources. Pour le rétablir, demandez-nous de revenir à l’ancien forfait, sans reconnecter l’application.\nAprès un passage au forfait supérieur, connectez l’application à nouveau si vous l’aviez approuvée avec le forfait inférieur.",
      who: "Qui a connecté cette application\u00a0?\nChaque membre de la boutique peut connecter des applications. La page de l’application (dans Applications connectées, choisissez la boutique) indique qui l’a approuvée en dernier, et quand.\nSi vous ne connaissez pas l’application, notez ce qu’indique la page, déconnectez l’application et prévenez-nous. Si la page indique votre nom alors que ce n’était pas vous, suivez aussi la réponse suivante.",
      mail: "J’ai reçu un e-mail à propos d’une connexion, de mon mot de passe ou d’une clé d’accès. Que faire\u00a0?\nIgnorez un lien de mot de passe que vous n’avez pas demandé. Ne faites rien si c’était vous, par exemple avec un autre navigateur, dans une fenêtre privée ou après avoir supprimé les cookies.\nSi ce n’était pas vous, choisissez immédiatement un nouveau mot de passe\u00a0: toutes les sessions se terminent. Si vous vous connectez avec le compte d’une autre société, choisissez Se déconnecter partout et sécurisez ce compte.\nRetirez ensuite les clés d’accès qui ne sont pas les vôtres (Clés d’accès, dans le menu sous votre nom\u00a0; si c’est impossible, contactez-nous), et déconnectez les applications inconnues.",
      remove:
        "Comment retirer une application, ou annuler une approbation donnée à la mauvaise boutique\u00a0?\nOuvrez Applications connectées, puis choisissez Déconnecter ou Retirer. L’application perd immédiatement l’accès, et garde ce qu’elle a déjà lu.\nPour le faire supprimer, écrivez à l’adresse que la page indique ensuite (ou notre e-mail, si ce n’est pas vous qui l’avez déconnectée)\u00a0; notez-la, car elle disparaît (s’il n’y en a pas, ou sans réponse, contactez-nous). Les sources qu’elle a ajoutées restent. Pour la bonne boutique, recommencez dans l’application.",
      data: "Qui a vu les données de mes clients, et comment les supprimer\u00a0?\nChaque application que vous ou votre équipe avez un jour autorisée à lire les réponses pouvait toutes les lire, même les plus anciennes. De même pour toute personne qui a une clé API de votre boutique.\nContactez-nous pour savoir quelle application ou quelle clé a lu combien de données, et quand (en général sur les 13 derniers mois). Nous n’enregistrons pas de quels clients il s’agissait.\nSi un client vous demande de supprimer des réponses, supprimez-les dans votre outil de sondage\u00a0: les applications connectées en sont informées. Demandez-le vous-même à celles qui sont expirées, suspendues ou déconnectées (nous avons leurs adresses).",
      "lost-passkey":
        "J’ai perdu ma clé d’accès, ou mon téléphone ou mon ordinateur a été volé. Que faire\u00a0?\nS’il a été volé, contactez-nous immédiatement\u00a0: nous bloquons votre compte. Toute personne qui peut lire vos e-mails peut choisir ici un nouveau mot de passe\u00a0; sécurisez donc votre messagerie (ou le compte de l’autre société avec lequel vous vous connectez). Si nous n’avons pas encore bloqué votre compte, choisissez ensuite un nouveau mot de passe, ou Se déconnecter partout.\nSi vous avez seulement perdu la clé, gardez votre mot de passe et ne vous déconnectez pas partout\u00a0: sinon, tous les navigateurs demandent la clé d’accès. Utilisez-en une autre, puis retirez la clé perdue (Clés d’accès, dans le menu sous votre nom).\nSi vous n’en avez pas d’autre, connectez-vous avec le mot de passe dans un navigateur où vous avez déjà utilisé la clé. Si une approbation y demande la clé, annulez, choisissez Utiliser un autre compte dans le menu et reconnectez-vous.\nSi c’était votre seule clé, contactez-nous. Nous vérifierons votre identité.",
      "sign-in":
        "Je n’arrive pas à me connecter. Que faire\u00a0?\nSi vous vous connectez avec le compte d’une autre société, suivez les indications de la page\u00a0; pour son mot de passe, adressez-vous à cette société. Si votre compte est bloqué, contactez-nous. Sinon, choisissez Mot de passe oublié\u00a0? Si aucun e-mail n’arrive, vérifiez l’adresse et les indésirables, puis contactez-nous. Après trop de tentatives, attendez le temps indiqué sur la page.",
      left: "Une personne a quitté mon équipe, ou je ne connais pas un membre. Que faire\u00a0?\nContactez-nous\u00a0: nous vous disons qui sont les membres, et en retirons. Les applications qu’ils ont approuvées restent\u00a0: déconnectez celles dont vous n’avez pas besoin. Demandez-nous de remplacer les clés API qu’ils connaissent.",
      sold: "J’ai vendu ma boutique, ou je veux la supprimer, ou supprimer mon compte. Que faire\u00a0?\nContactez-nous. Avant une vente, déconnectez les applications que l’acheteur ne reprend pas\u00a0: elles continueraient à lire, et ensuite seul l’acheteur peut les déconnecter. Puis nous donnons accès à l’acheteur, et mettons fin au vôtre et à toutes les clés API.\nAvant une suppression, déconnectez les applications et demandez à chacune de supprimer sa copie (la page indique ensuite l’adresse).\nSi vous supprimez seulement votre compte, une boutique qui a d’autres membres reste, avec ses applications. Certains enregistrements restent, sans votre nom. Les sauvegardes conservent tout encore un certain temps.",
    },
    send: "Quand vous nous contactez, indiquez votre adresse e-mail, la boutique et l’application, et l’ID de la demande si la page l’affiche. N’envoyez jamais votre mot de passe ni un lien.",
  },
  signIn: {
    title: "Se connecter",
    heading: (app) => html`Identifiez-vous pour connecter ${app}`,
    lead: "Identifiez-vous pour gérer les applications connectées",
    email: "Adresse e-mail",
    password: "Mot de passe",
    show: "Afficher le mot de passe",
    wrong: "Adresse e-mail ou mot de passe incorrect.",
    paused: "Votre compte est bloqué.",
    tooManyAttempts: (minutes) => `Trop de tentatives. Veuillez réessayer ${inMinutes(minutes)}.`,
    sessionEnded: "Votre session a expiré. Veuillez vous reconnecter.",
    signedOut: "Session fermée.",
    passwordChanged: "Nouveau mot de passe enregistré. Connectez-vous avec celui-ci.",
    forgot: "Mot de passe oublié\u00a0?",
    safety: (product, host) =>
      html`Vous êtes sur ${host}. Aucune application n’a besoin de votre mot de passe ${product}.`,
    openId: {
      button: (provider) => html`Continuer avec ${provider}`,
      another: (provider) => html`Utiliser un autre compte ${provider}`,
      back: "Retour à la connexion",
      failed: "La connexion a échoué",
      problem: {
        unavailable: (provider) => html`${provider} ne répond pas. Réessayez dans une minute.`,
        misconfigured: (provider) =>
          html`La connexion avec ${provider} n’est pas bien configurée. Contactez-nous.`,
        cancelled: (provider) => html`Vous avez annulé la connexion chez ${provider}.`,
        ended: () => html`Cette connexion a déjà servi, a expiré ou vient d’un autre navigateur.`,
        no_account: (_provider, email) =>
          html`${email} n’a pas de compte ici. Demandez-nous-en un.`,
        not_connected: (provider) =>
          html`Votre compte ${provider} n’est pas encore relié ici. Réessayez dans quelques minutes. Si cela ne suffit pas, contactez-nous.`,
        unverified: (provider) =>
          html`${provider} n’a pas confirmé votre adresse e-mail. Confirmez-la auprès de ${provider}.`,
        joined_with_another: (provider, email) =>
          html`${email} est lié à un autre compte ${provider}.`,
      },
    },
  },
  password: {
    heading: "Choisissez un nouveau mot de passe",
    present: "Mot de passe actuel",
    chosen: "Nouveau mot de passe",
    repeated: "Confirmer le nouveau mot de passe",
    show: "Afficher les mots de passe",
    rule: "Au moins 15 caractères, par exemple quatre mots sans lien. Évitez nom, e-mail, boutique et le nom de notre produit.",
    problem: {
      too_short: "Choisissez au moins 15 caractères.",
      too_long: "Choisissez au plus 256 caractères.",
      blank: "Un mot de passe ne peut pas contenir que des espaces.",
      common: "Ce mot de passe est trop courant.",
      personal: "Il contient l’un de ces noms.",
      wrong: "Mot de passe actuel incorrect.",
      again: "Saisissez de nouveau votre mot de passe actuel.",
      same: "C’est votre mot de passe actuel.",
      not_repeated: "Les nouveaux mots de passe ne correspondent pas.",
    },
    change: {
      lead: "Vos autres sessions seront fermées.",
      submit: "Changer le mot de passe",
      done: "Mot de passe changé",
      doneLead: "Vos autres sessions sont maintenant fermées.",
    },
    reset: { lead: "Toutes vos sessions seront fermées.", submit: "Enregistrer le mot de passe" },
    ended: {
      title: "Ce lien a expiré",
      lead: "Un lien est valable une fois, pour peu de temps. Utilisez le plus récent.",
      again: "Obtenir un nouveau lien",
    },
    forgot: {
      lead: "Nous vous enverrons un lien pour choisir un nouveau mot de passe",
      submit: "Envoyer le lien",
      askUs: "Demandez-nous un lien pour choisir un nouveau mot de passe",
      notAnAddress: "Saisissez une adresse e-mail complète, comme anna@shop.example.",
      tooMany: (minutes) =>
        `Trop de demandes. Vérifiez votre messagerie et l’adresse, ou réessayez ${inMinutes(minutes)}.`,
    },
    sent: {
      title: "Consultez votre messagerie",
      lead: (from) =>
        html`Si ce compte existe, un lien de ${from} est en route. Il est valable 30 minutes.`,
      noMail: "Pas d’e-mail au bout de cinq minutes\u00a0? Vérifiez l’adresse et les indésirables.",
      again: "Renvoyer",
    },
  },
  consent: {
    title: (app) => `Connecter ${app}`,
    heading: (app, shop) => html`Connecter ${app} à ${shop}\u00a0?`,
    yourShop: "votre boutique",
    lead: (host) => html`Vous reviendrez sur ${host} dans tous les cas.`,
    shop: "Boutique",
    by: (publisher) => html`Par ${publisher}`,
    privacyPolicy: "Politique de confidentialité",
    wouldAllow: "L’application pourra",
    notIncluded: "Non inclus",
    lasts: (link, duration) =>
      html`L’accès prend fin quand vous déconnectez l’application dans ${link} ou après ${duration} sans utilisation.`,
    willNever:
      "L’application voit le nom, le domaine et le forfait de la boutique, jamais votre mot de passe ni les boutiques non approuvées.",
    findShop: "Chercher une boutique par nom ou domaine",
    find: "Rechercher",
    found: (found, all) => `${found === all ? "" : `${found} sur `}${all} boutiques`,
    showAll: "Tout afficher",
    renews: "Votre approbation renouvelle l’accès avec les mêmes autorisations.",
    adds: "Nouvelle autorisation\u00a0:",
    drops: "Autorisation retirée\u00a0:",
    needs: (plan) => `Nécessite le ${plan}.`,
    changePlan: (plan) =>
      `Cette application nécessite le ${plan}. Demandez-nous le changement de forfait, puis reconnectez-la.`,
    paused: (product) => `Suspendue par ${product}.`,
    for: (shop) => html`Pour ${shop}`,
    approve: "Approuver",
    decline: "Refuser",
    choose: "Choisissez une boutique.",
    notOffered: "Cette boutique ne peut pas être connectée. Choisissez-en une autre.",
    changed: "Quelque chose a changé. Veuillez vérifier avant d’approuver.",
    noShops: "Aucune boutique dans votre compte",
    noShopsLead: "Demandez-nous d’ajouter votre boutique ou utilisez un autre compte.",
    cannot: (app) => html`${app} ne peut pas être connectée`,
    backTo: (app) => html`Retour à ${app}`,
  },
  connectedApps: {
    title: "Applications connectées",
    heading: "Applications connectées à vos boutiques",
    lead: "Vous ou votre équipe avez approuvé chacune d’elles.",
    none: "Aucune application connectée",
    howToConnect: "Pour connecter une application, commencez dans celle-ci.",
    permissions: "Autorisations",
    at: (app, shop) => html`${app} chez ${shop}`,
    approvedBy: "Dernière approbation par",
    lastUsed: "Dernière utilisation",
    never: "Pas encore utilisée",
    expires: "Expire sans utilisation",
    status: {
      connected: "Connectée",
      approved: "Non terminée",
      expired: "Expirée",
      disabled: "Suspendue",
      revoked: "Déconnectée",
    },
    disconnect: "Déconnecter",
    search: "Chercher une boutique ou une application",
    earlier: "Précédent",
    later: "Suivant",
    pageOf: (page, pages) => `Page ${page} sur ${pages}`,
    deletion: (contact) => html`Pour faire supprimer vos données, écrivez à ${contact}.`,
    disconnected: (app, shop) => html`${app} n’a plus accès à ${shop}.`,
  },
  disconnect: {
    heading: (app, shop) => html`Déconnecter ${app} de ${shop}\u00a0?`,
    lead: "Elle perd l’accès immédiatement, et conserve ce qu’elle a lu.",
    removal: (app, shop) => html`Retirer ${app} de ${shop}\u00a0?`,
    removalLead: "Son accès a expiré. Elle quittera votre liste, et conserve ce qu’elle a lu.",
    remove: "Retirer",
    keep: "Annuler",
  },
  account: {
    useAnother: "Utiliser un autre compte",
    signOut: "Se déconnecter",
    signOutEverywhere: "Se déconnecter partout",
  },
  passkeys: {
    title: "Clés d’accès",
    lead: "Une clé d’accès vous protège si votre mot de passe est volé. Nous la demandons sur un nouvel appareil et avant qu’une application obtienne des données personnelles, sauf juste après une connexion.",
    since: (date) => html`Ajoutée ${date}.`,
    used: (date) => html`Dernière utilisation ${date}.`,
    name: "Nom",
    newName: "Ma clé d’accès",
    remove: "Retirer la clé d’accès",
    removesLast: "C’est votre seule clé d’accès. Vous vous connecterez avec le seul mot de passe.",
    add: "Ajouter une clé d’accès",
    done: { added: "Clé d’accès ajoutée.", removed: "Clé d’accès retirée." },
    problem: {
      name: "Saisissez un nom de 100 caractères au plus.",
      not_made: "La clé d’accès n’a pas pu être vérifiée. Veuillez réessayer.",
    },
    proof: {
      title: "Confirmez votre identité",
      byPasskey: (email) => html`Utilisez la clé d’accès de ${email} pour continuer.`,
      byPassword: (product) => `Saisissez votre mot de passe ${product} pour continuer.`,
      bySignIn: "Reconnectez-vous pour continuer.",
      use: "Utiliser la clé d’accès",
      confirm: "Confirmer",
      failed: "La clé d’accès n’a pas été utilisée. Veuillez réessayer.",
      noPasskey: "Ce navigateur ne gère pas les clés d’accès ou JavaScript. Utilisez-en un autre.",
      lost: "Vous ne pouvez pas utiliser votre clé d’accès\u00a0?",
      wrong: "Cette clé d’accès n’est pas valable ici. Veuillez réessayer.",
    },
  },
  failure: {
    invalid_link: {
      title: "Ce lien ne fonctionne pas",
      lead: (app) =>
        html`${app} a envoyé une demande non valide. Réessayez, ou contactez son développeur.`,
    },
    client_disabled: {
      title: "Cette application ne peut pas être connectée",
      lead: (app) => html`${app} ne peut pas connecter de boutiques actuellement. Contactez-nous.`,
    },
    already_connected: { title: "Déjà connectée", lead: "Vous pouvez revenir à l’application." },
    already_approved: {
      title: "Déjà approuvée",
      lead: "Revenez à l’application. Si elle n’est pas connectée, recommencez là-bas.",
    },
    ended: {
      title: "Cette demande est terminée",
      lead: "Elle a reçu une réponse, a expiré ou vient d’un autre navigateur. Recommencez dans l’application.",
    },
    no_cookies: {
      title: "Les cookies sont bloqués",
      lead: (_app, host) =>
        html`Autorisez les cookies pour ${host}, puis revenez à l’application et reconnectez-la.`,
    },
    bad_request: {
      title: "Demande non acceptée",
      lead: "Rien n’a été modifié. Veuillez revenir en arrière et réessayer.",
    },
    not_found: { title: "Page introuvable", lead: "Vérifiez l’adresse." },
    too_many_requests: {
      title: "Trop de demandes",
      lead: "Votre réseau en a envoyé beaucoup. Veuillez attendre une minute.",
    },
    unavailable: {
      title: "Veuillez réessayer dans un instant",
      lead: "Nous ne pouvons pas répondre pour le moment. Veuillez attendre quelques secondes.",
    },
    unexpected: {
      title: "Un problème est survenu",
      lead: "L’erreur vient de nous. Veuillez réessayer.",
    },
  },
  failurePage: {
    unnamedApp: "L’application",
    forDevelopers: "Pour les développeurs",
    requestId: "ID de la demande",
  },
};
