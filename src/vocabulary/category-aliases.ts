import type { Category } from './categories.ts';

/**
 * The words that mean each category: OSM tags, PLATEAU usages, Wikidata classes, disclosure words.
 * Every word is lower-case NFKC and occurs once. An OSM `building=*` value is written bare, any other
 * tag as `key=value`; `key=*` is for values of that key that the table does not list.
 *
 * `other` is a stated use that fits no category; `unspecified` means that the source names no use.
 */
// biome-ignore format: a word table, many words to a line
export const CATEGORY_ALIASES: Readonly<Record<Category, readonly string[]>> = {
  residential: [
    // own name; OSM building=*
    'residential', 'apartments', 'apartment', 'house', 'detached', 'semidetached_house', 'semi', 'terrace',
    'terraced_house', 'terraced', 'dormitory', 'bungalow', 'cabin', 'cottage', 'villa', 'mansion', 'annexe',
    'conservatory', 'duplex', 'townhouse', 'condominium', 'condo', 'flats', 'flat', 'ger', 'yurt', 'stilt_house',
    'static_caravan', 'mobile_home', 'houseboat', 'trullo', 'tree_house', 'dwelling_house', 'dwelling',
    'hall_of_residence', 'rowhouse', 'semi-detached', 'block_of_flats',
    // OSM defines building=farm as the farmhouse; the other buildings of a farm are agriculture
    'farm', 'farmhouse',
    // OSM business tags
    'amenity=dormitory', 'amenity=student_accommodation',
    // PLATEAU usage; homes with a shop or workshop (413 to 415) count as homes: 等 leaves the other use open
    '411', '412', '413', '414', '415', '住宅', '共同住宅', '店舗等併用住宅', '店舗等併用共同住宅', '作業所併用住宅',
    // PLATEAU detailed and local survey labels (国, 東京都, 神奈川県の土地利用調査)
    'アパート', 'マンション', '長屋', '寮', '独立住宅', '集合住宅', '専用独立住宅', '住商併用建物', '店舗併用住宅',
    '店舗併用集合住宅', '店舗併用共同住宅', '事務所併用住宅', '工場併用住宅', '宿泊施設との併用', '娯楽施設との併用',
    '遊戯施設との併用', '住宅系', '住居系建物',
    // Wikidata classes; a tower block is a block of homes, unlike a skyscraper
    'tower block', 'apartment building', 'apartment block', 'apartment complex', 'apartment house',
    'residential building', 'residential tower', 'residential complex', 'residential skyscraper',
    'high-rise apartment building', 'tower mansion', 'condominium building', 'detached house',
    'single-family detached home', 'single-family house', 'semi-detached house', 'terraced house',
    'terrace of houses', 'row house', 'town house', 'multifamily residential', 'housing', 'housing estate',
    'housing complex', 'public housing', 'company housing', 'student dormitory', 'student housing',
    'student residence', 'hall of residence', 'official residence', 'country house', 'manor house', 'minka',
    'machiya', 'nagaya', 'buke yashiki', 'samurai residence',
    '家', '家屋', '一戸建て', '一戸建', '戸建', '戸建て', '戸建住宅', '戸建て住宅', '邸宅', '別荘', '町家', '町屋',
    '民家', '古民家', '武家屋敷', '屋敷', '農家', '公邸', '団地', '住宅団地', '公営住宅', '公団住宅', '県営住宅',
    '市営住宅', '都営住宅', '集合住宅団地', 'タウンハウス', 'テラスハウス', 'コンドミニアム', 'タワーマンション',
    '超高層マンション', '高層住宅', '超高層住宅', '高層マンション', '学生寮', '社員寮', '独身寮',
    // disclosure words, the land register's kinds (居宅, 寄宿舎) and the green-building programme's tenures
    '居宅', '寄宿舎', '下宿', '社宅', '住居', '住居系', '住居用', '居住用', '居住施設', '居住用施設', '住居施設', '住宅等',
    '住宅用', '集合住宅等', '共同住宅等', '専用住宅', '併用住宅', '農家住宅', '二世帯住宅', '一戸建の住宅',
    '一戸建ての住宅', '重層長屋', '連棟住宅', '居住専用住宅', '居住専用準住宅', '居住産業併用建築物', '賃貸住宅',
    '分譲住宅', '分譲賃貸混在', '賃貸マンション', '分譲マンション', '賃貸アパート', '賃貸レジデンス', '賃貸用住宅',
    '戸建賃貸', 'レジデンス', 'レジデンシャル', '学生マンション', '学生専用マンション', '学生向け住宅',
    '学生向けマンション', 'シェアハウス', 'コーポ', 'ハイツ', 'メゾネット', 'コリビング',
    'residence', 'residences', 'residential property', 'residential properties', 'residential facility',
    'rental housing', 'rental apartment', 'rental apartments', 'rental residence', 'multifamily', 'multi-family',
    'apartment buildings', 'share house', 'shared house', 'co-living', 'single-family',
    // let by the month and booked by J-REITs with homes, not hotels
    'サービスアパートメント', 'serviced apartment', 'serviced apartments',
  ],
  office: [
    // own name; OSM building=*
    'office', 'offices', 'office_building', 'headquarters', 'coworking', 'coworking_space',
    // OSM business tags; offices of government and embassies are public
    'office=*', 'amenity=coworking_space', 'amenity=payment_centre',
    // banks: 業務施設 in the PLATEAU list, not shops
    'amenity=bank', 'bank', '銀行', 'bank building', '銀行建築', '金融機関', '金融機関店舗', '信用金庫', '証券会社',
    '保険会社',
    // studios, broadcasters and newspapers: 業務施設 in the land-use surveys
    'amenity=studio', 'studio', 'broadcasting station', 'broadcaster', 'television station', 'radio station',
    'television studio', 'recording studio', 'newspaper', 'newspaper office', '放送局', 'テレビ局', 'ラジオ局',
    '新聞社', '通信社', 'スタジオ', '放送スタジオ', '撮影スタジオ',
    // bare values of OSM office=*
    'accountant', 'architect', 'company', 'consulting', 'employment_agency', 'estate_agent', 'financial', 'insurance',
    'lawyer', 'notary', 'ngo', 'tax_advisor', 'telecommunication', 'travel_agent', 'association', 'foundation',
    // PLATEAU usage, detailed and local survey labels
    '401', '業務施設', '業務施設(1)', '事務所建築物', '専用事務所',
    '業務施設(事務所、銀行、会議場・展示場、郵便局、電話局、民間研究所、研修所 等)',
    // research: the PLATEAU list has private laboratories as 業務施設 and public ones as 文教 (公的研究所: education)
    '民間研究所', '研究所', '研究施設', '研究開発施設', '研究開発拠点', '研究センター', '研究棟', '実験施設', 'ラボ',
    '賃貸ラボ', 'ラボオフィス', 'ライフサイエンス施設', 'ライフサイエンスビル', 'amenity=research_institute',
    'research_institute', 'research institute', 'research center', 'research centre', 'research facility',
    'research laboratory', 'laboratory', 'r&d', 'r&d center', 'r&d facility', 'life science', 'life sciences',
    // Wikidata classes
    'office building', 'office tower', 'office skyscraper', 'office complex', 'corporate headquarters',
    'company headquarters', 'head office', 'main office', 'branch office', 'stock exchange', 'chamber of commerce',
    'trade union house', 'business center', 'business centre', 'coworking space',
    'オフィスビル', 'オフィスビルディング', 'オフィスタワー', '本社', '本社ビル', '本店', '支店', '支社', '営業所',
    '事業所', '証券取引所', '商工会議所', 'ビジネスセンター', 'コワーキングスペース',
    // disclosure words
    '事務所', '事務所等', '事務所用', '事務所用途区画', '事務所棟', '事務所ビル', '事務所専用ビル', 'オフィス', 'オフィス等',
    'オフィス系', 'オフィス棟', 'オフィス用途', '業務', '業務用', '業務系', '業務ビル', '賃貸オフィス',
    '賃貸オフィスビル', '賃貸事務所', '賃貸事務所ビル', '貸事務所', 'サービスオフィス', 'シェアオフィス',
    'レンタルオフィス', '中規模オフィス', '大規模オフィス', 'コールセンター', '事務センター',
    'office buildings', 'office property', 'office properties', 'rental office', 'call center', 'shared office',
    'serviced office',
  ],
  retail: [
    // own name; OSM building=*. building=commercial is any trade, in Japan mostly 商業ビル
    'retail', 'commercial', 'supermarket', 'shop', 'shops', 'store', 'stores', 'kiosk', 'mall', 'market',
    'marketplace', 'department_store', 'convenience', 'convenience_store', 'restaurant', 'restaurants', 'cafe',
    'café', 'coffee_shop', 'bar', 'pub', 'fast_food', 'food_court', 'ice_cream', 'nightclub', 'biergarten', 'casino',
    'gambling', 'showroom', 'fuel', 'gas_station', 'petrol_station', 'car_wash', 'car_rental',
    // OSM business tags: trade
    'shop=*', 'amenity=marketplace', 'amenity=fuel', 'amenity=car_wash', 'amenity=car_rental',
    'amenity=bicycle_rental', 'amenity=motorcycle_rental', 'amenity=boat_rental', 'amenity=bureau_de_change',
    'amenity=money_transfer', 'amenity=animal_boarding', 'highway=services', 'highway=rest_area',
    // OSM business tags: eating, drinking, amusement (商業施設 in the PLATEAU list)
    'amenity=restaurant', 'amenity=cafe', 'amenity=fast_food', 'amenity=bar', 'amenity=pub', 'amenity=biergarten',
    'amenity=food_court', 'amenity=ice_cream', 'amenity=nightclub', 'amenity=hookah_lounge', 'amenity=internet_cafe',
    'amenity=karaoke_box', 'amenity=casino', 'amenity=gambling', 'amenity=stripclub', 'amenity=swingerclub',
    'amenity=brothel', 'leisure=amusement_arcade', 'leisure=adult_gaming_centre', 'leisure=escape_game',
    'leisure=indoor_play', 'leisure=dance', 'leisure=tanning_salon',
    // bathing as a paid service; the PLATEAU list has 公衆浴場 among 厚生施設, which no visitor would call healthcare
    'amenity=public_bath', 'amenity=spa', 'leisure=sauna', 'leisure=hot_tub', 'leisure=spa', 'public_bath', 'sauna',
    'spa', 'public bath', 'bathhouse', 'onsen', 'sento', '公衆浴場', '銭湯', '浴場', '温浴施設', 'スーパー銭湯',
    '温泉', '温泉施設', '日帰り温泉施設', '日帰り温泉', '特殊浴場', 'サウナ', '健康ランド',
    // funeral halls and wedding halls are services (商業施設3); crematoria are utility
    'amenity=funeral_hall', 'funeral_hall', 'funeral hall', 'funeral home', 'funeral parlor', '斎場', '葬儀場',
    '葬祭場', '葬斎場', 'セレモニーホール', '結婚式場', '宴会場', 'wedding hall', 'wedding venue', 'banquet hall',
    // bare values of OSM shop=*
    'bakery', 'butcher', 'greengrocer', 'seafood', 'confectionery', 'deli', 'alcohol', 'beverages', 'clothes',
    'shoes', 'fashion', 'boutique', 'jewelry', 'cosmetics', 'chemist', 'beauty', 'hairdresser', 'barber', 'massage',
    'laundry', 'dry_cleaning', 'books', 'stationery', 'toys', 'gift', 'florist', 'furniture', 'hardware',
    'doityourself', 'houseware', 'electronics', 'computer', 'mobile_phone', 'optician', 'bicycle', 'car_parts',
    'tailor', 'car_repair', 'motorcycle', 'tyres', 'travel_agency', 'variety_store', 'second_hand', 'pawnbroker',
    'garden_centre', 'pet', 'copyshop', 'wholesale', 'trade', 'tobacco', 'newsagent', 'outdoor', 'ticket', 'lottery',
    'karaoke_box', 'internet_cafe', 'amusement_arcade',
    // PLATEAU usage: 404 is several kinds of trade in one building
    '402', '404', '商業施設', '商業系複合施設', '商業系用途複合施設',
    '商業施設1', '商業施設2', '商業施設3', '商業施設4', '商業施設6', '商業施設7', '商業施設(a)', '商業施設(b)',
    '商業施設(c)', '娯楽施設', '娯楽施設(b)', '娯楽施設(c1)', '遊戯施設', '遊戯施設(b1)', '遊戯施設(b2)',
    '処理施設(a)', '専用商業施設',
    '商業施設1(百貨店、小売店、卸売店、ガソリンスタンド 等)',
    '商業施設2(食堂、喫茶店、弁当屋・宅配 等)',
    '商業施設3(理容店、美容院、レンタル業、宴会場、結婚式場、習い事教室、予備校、自動車教習所、住宅展示場、その他のサービス施設)',
    '商業施設4(料理店、キャバレー、クラブ、バー、飲み屋 等)',
    '商業施設6(ボーリング場、バッティングセンター、ゴルフ練習場、フィットネス、カラオケボックス、インターネットカフェ 等)',
    '商業施設7(マージャン屋、パチンコ屋、馬券・車券発売所 等)',
    '小売店', '卸売店', 'ガソリンスタンド', '食堂', '喫茶店', '弁当屋・宅配', '理容店', '美容院', 'レンタル業',
    '住宅展示場', 'その他サービス施設', 'サービス施設', '料理店', 'キャバレー', 'クラブ', 'ナイトクラブ',
    'ダンスホール', 'バー', 'スナック', '飲み屋', 'カラオケボックス', 'インターネットカフェ', '漫画喫茶',
    'マージャン屋', '麻雀屋', 'パチンコ店', 'パチンコ屋', '射的場', '馬券・車券発売所', '勝馬投票券発売所',
    '場外馬券売場', '場外勝馬投票券発売所', 'ゲームセンター',
    // Wikidata classes
    'shopping mall', 'shopping center', 'shopping centre', 'shopping complex', 'shopping arcade', 'retail building',
    'retail park', 'commercial building', 'commercial complex', 'commercial facility', 'department store',
    'convenience store', 'general merchandise store', 'home center', 'home improvement store', 'drugstore',
    'flagship store', 'outlet store', 'outlet mall', 'strip mall', 'underground shopping center', 'public market',
    'market hall', 'market square', 'fish market', 'covered market', 'food hall', 'food court',
    'fast food restaurant', 'coffeehouse', 'coffee shop', 'izakaya', 'tavern', 'bookstore', 'bookshop',
    'electronics store', 'filling station', 'gas station', 'petrol station', 'roadside station', 'service area',
    'pachinko parlor', 'amusement arcade', 'video arcade', 'karaoke box', 'car dealership', 'beauty salon',
    'fashion building',
    'ショッピングモール', 'ショッピングセンター', 'ショッピングビル', 'ショッピングアーケード', '複合商業施設',
    '大型商業施設', '商業ビル', 'ファッションビル', '駅ビル', '百貨店', 'デパート', 'スーパーマーケット', 'スーパー',
    '総合スーパー', '食品スーパー', 'スーパーセンター', 'ホームセンター', 'ドラッグストア', 'ディスカウントストア',
    'コンビニエンスストア', 'コンビニ', 'アウトレットモール', 'アウトレット', '地下街', '商店', '商店街', '市場',
    '公設市場', '飲食店', 'レストラン', '居酒屋', 'カフェ', '料亭', 'ファミリーレストラン', 'ファストフード店',
    'ラーメン屋', '書店', '家電量販店', 'パチンコホール', 'アミューズメント施設', 'アミューズメントセンター',
    '道の駅', 'サービスエリア', 'パーキングエリア', '給油所', '自動車販売店', 'カーディーラー', 'ショールーム',
    '理容室', '美容室', '遊技場', '遊戯場', 'カジノ', 'コインランドリー', 'クリーニング店',
    // disclosure words and the green-building programme's uses
    '店舗', '店舗等', '店舗用', '店舗ビル', '店舗棟', '物販店', '物販店舗', '物販店舗等', '物販店等',
    '物品販売業を営む店舗', '物品販売店舗', '飲食店等', '飲食店舗', '飲食ビル', '百貨店等', '商業', '商業用',
    '商業系', '商業用途区画', '商業施設等', '商業店舗', '商業棟', '商業テナント', '都市型商業施設', '都心型商業施設',
    '都市型商業ビル', '郊外型商業施設', '地域密着型商業施設', '生活密着型商業施設', '近隣型ショッピングセンター',
    '大規模小売店舗', '小売店舗', '小売', '路面店', 'ロードサイド店舗', 'サービス店舗', 'サービス業用店舗',
    '宴会施設', 'ブライダル施設',
    'retail facility', 'retail facilities', 'retail property', 'retail properties', 'retail store', 'urban retail',
    'suburban retail', 'commercial facilities', 'commercial property', 'street-front retail',
  ],
  hotel: [
    // own name; OSM building=*
    'hotel', 'hotels', 'motel', 'hostel', 'guest_house', 'guesthouse', 'chalet', 'resort', 'ryokan', 'inn', 'lodge',
    'bed_and_breakfast', 'love_hotel', 'alpine_hut', 'wilderness_hut',
    // OSM business tags; tourism=apartment is let by the night
    'tourism=hotel', 'tourism=motel', 'tourism=hostel', 'tourism=guest_house', 'tourism=apartment', 'tourism=chalet',
    'tourism=bed_and_breakfast', 'tourism=resort', 'tourism=alpine_hut', 'tourism=wilderness_hut',
    'tourism=trail_riding_station', 'leisure=resort', 'leisure=beach_resort', 'leisure=summer_camp',
    'amenity=love_hotel', 'amenity=hotel',
    // PLATEAU usage, detailed and local survey labels
    '403', '宿泊施設', '宿泊施設(ホテル、旅館、民宿、ラブホテル 等)', '宿泊・遊興施設', '娯楽施設(c2)', 'ホテル',
    '旅館', '民宿', 'ラブホテル', 'モーテル', 'カプセルホテル', '保養所',
    // Wikidata classes
    'hotel building', 'hotel tower', 'resort hotel', 'luxury hotel', 'business hotel', 'capsule hotel', 'love hotel',
    'city hotel', 'apartment hotel', 'guest house', 'youth hostel', 'boarding house', 'mountain hut', 'minshuku',
    'pension', 'onsen ryokan', 'shukubo', 'bed and breakfast',
    'リゾートホテル', 'ビジネスホテル', 'シティホテル', '温泉旅館', '温泉ホテル', 'ゲストハウス', 'ホステル',
    'ユースホステル', 'ペンション', '山小屋', '宿坊', '国民宿舎', 'コテージ', '宿泊所',
    // disclosure words
    'ホテル等', 'ホテル・旅館', '旅館・ホテル', 'ホテル棟', 'ホテル用途', '宿泊特化型ホテル', '宿泊主体型ホテル',
    'フルサービスホテル', 'リミテッドサービスホテル', 'アパートメントホテル', 'ラグジュアリーホテル', 'ホテル施設',
    '宿泊', '簡易宿所', '民泊', '民泊施設', 'グランピング施設', 'リゾート施設',
    'limited service hotel', 'limited-service hotel', 'full service hotel', 'full-service hotel', 'hospitality',
    'accommodation', 'lodging',
  ],
  logistics: [
    // own name; OSM building=*
    'logistics', 'warehouse', 'warehouses', 'storage', 'distribution_center', 'distribution_centre', 'cold_storage',
    // OSM business tags
    'shop=storage_rental', 'storage_rental', 'industrial=warehouse', 'industrial=distributor', 'industrial=logistics',
    'industrial=depot', 'amenity=post_depot', 'amenity=loading_dock',
    // PLATEAU usage: 431 also holds stations and car parks, but most are warehouses
    '431', '運輸倉庫施設', '倉庫運輸関係施設', '運輸倉庫施設2', '運輸倉庫施設(b2)',
    '運輸倉庫施設2(卸売市場、倉庫、トラックターミナル 等)',
    '倉庫', 'トラックターミナル', '荷捌場', '荷捌き場', '荷さばき場',
    // wholesale markets by the PLATEAU list (4312), not retail
    '卸売市場', '中央卸売市場', '地方卸売市場', 'wholesale market',
    // Wikidata classes
    'logistics center', 'logistics centre', 'logistics facility', 'logistics park', 'distribution center',
    'distribution centre', 'distribution warehouse', 'fulfillment center', 'storehouse', 'cold store', 'self storage',
    'self-storage', 'truck terminal', 'freight terminal', 'container terminal', 'sorting office',
    'mail sorting center',
    '物流センター', '物流倉庫', '配送センター', '流通センター', '集配センター', '貨物ターミナル',
    'コンテナターミナル', '赤煉瓦倉庫', '赤レンガ倉庫', '土蔵', '蔵',
    // disclosure words
    '物流', '物流施設', '物流施設等', '物流用', '物流系', '物流拠点', '物流不動産', '大型物流施設', '先進的物流施設',
    'マルチテナント型物流施設', 'ボックス型物流施設', 'ロジスティクス', 'ロジスティクス施設',
    'ロジスティクスセンター', '流通施設', '流通倉庫', '流通業務施設', '配送施設', '配送拠点', '倉庫等', '営業倉庫',
    '倉庫業を営む倉庫', '倉庫業を営まない倉庫', '普通倉庫', '冷蔵倉庫', '冷凍倉庫', '冷凍冷蔵倉庫', '定温倉庫',
    '危険物倉庫', '倉庫業倉庫', '自家用倉庫', 'トランクルーム', 'レンタル倉庫', 'レンタル収納スペース',
    'セルフストレージ',
    'logistics facilities', 'logistics property', 'logistics properties', 'warehousing', 'distribution facility',
    'fulfillment',
  ],
  industrial: [
    // own name; OSM building=*
    'industrial', 'factory', 'manufacture', 'works', 'workshop', 'mill', 'brewery', 'distillery', 'winery', 'sawmill',
    'foundry', 'refinery', 'kiln', 'windmill', 'watermill',
    // bakehouse: 工場4 of the PLATEAU list holds small bakeries that bake on the spot
    'bakehouse',
    // OSM business tags; craft=* are workshops of tradesmen
    'craft=*', 'industrial=*', 'man_made=works', 'man_made=kiln', 'man_made=chimney', 'man_made=mineshaft',
    'man_made=adit', 'man_made=petroleum_well', 'man_made=offshore_platform', 'man_made=windmill',
    'man_made=watermill',
    // bare values of OSM craft=*
    'blacksmith', 'boatbuilder', 'carpenter', 'electrician', 'joiner', 'metal_construction', 'painter', 'plumber',
    'shoemaker', 'stonemason', 'upholsterer',
    // PLATEAU usage, detailed and local survey labels
    '441', '工場', '工場1', '工場2', '工場3', '工場4', '工場5', '専用工場', '住居併用工場', '工業系',
    '工場1(危険物の製造、液化ガスの製造、塩素・臭素等の製造、肥料の製造、製紙、製革、アスファルトの精製、セメントの製造、金属の溶融 等(準工業地域において立地不可))',
    '工場2(原動機を使用する 150 m2を超える工場、引火性溶剤を用いるドライクリー ニング、原動機を使用する岩石の粉砕、レディミクストコンクリートの製造、陶磁器・ガラスの製造 等(商業地域において立地不可))',
    '工場3(原動機を使用する 50 m2を超える工場、原動機を使用する魚肉の練製品の製造・セメント製品の製造・金属の加工・印刷、木工所、めっき 等(住居地域において立地不可)',
    '工場4(50 m2以内のパン屋、米屋、豆腐屋、菓子屋その他これらに類する食品製造業を営む工場 等)',
    '工場5(自動車修理工場)',
    '重化学工業施設', '軽工業施設', 'サービス工業施設', 'サービス工業施設(a)', 'サービス工業施設(b)', '家内工業施設',
    '危険物の製造', '液化ガスの製造', '塩素・臭素等の製造', '肥料の製造', '製紙', '製革', 'アスファルトの精製',
    'セメントの製造', '金属の溶解', '原動機を使用する 150 m2を超える工場', '引火性溶剤を用いるドライクリー ニング',
    '原動機を使用する岩石の粉砕', 'レディミクストコンクリートの製造', '陶磁器・ガラスの製造',
    '原動機を使用する 50 m2を超える工場', '原動機を使用する魚肉の練製品の製造・セメント製品の製造・金属の加工・印刷',
    '木工所', 'めっき', '50 m2以内のパン屋', '米屋', '豆腐屋', '菓子屋その他これらに類する食品製造業を営む工場',
    // car repair by the PLATEAU list (4415); OSM's shop=car_repair stays a shop
    '自動車修理工場', '自動車整備工場', '整備工場',
    // Wikidata classes
    'industrial building', 'industrial complex', 'industrial facility', 'production facility', 'manufacturing plant',
    'manufacturing facility', 'assembly plant', 'automobile factory', 'chemical plant', 'steel mill', 'steelworks',
    'ironworks', 'paper mill', 'textile mill', 'spinning mill', 'silk mill', 'oil refinery', 'cement plant',
    'shipyard', 'mine', 'sake brewery', 'printing plant', 'slaughterhouse', 'meat packing plant', 'food factory',
    '製造所', '製作所', '工業施設', '生産施設', '製鉄所', '製鋼所', '製油所', '造船所', '製紙工場', '紡績工場',
    '製糸場', '化学工場', '自動車工場', '食品工場', 'セメント工場', '醸造所', '酒造所', '酒蔵', '蒸留所',
    'ビール工場', 'ワイナリー', '鉱山', '窯', '印刷所', '印刷工場', '屠場', 'と畜場', '食肉処理場',
    // disclosure words
    '工場等', '工場棟', '工場用', '作業所', '作業場', '生産設備', '生産拠点', '製造施設', '製造工場', '工業',
    '工業用', 'インダストリアル', 'インダストリアル不動産', '工場・研究開発施設', '工場・研究開発施設等',
    '工業用不動産', '鉄工所', '工房',
    'industrial property', 'industrial properties', 'manufacturing', 'light industrial',
  ],
  education: [
    // own name; OSM building=*
    'education', 'school', 'university', 'college', 'kindergarten', 'childcare', 'nursery', 'preschool', 'classroom',
    'portable_classroom', 'academy', 'educational',
    // OSM business tags
    'amenity=school', 'amenity=university', 'amenity=college', 'amenity=kindergarten', 'amenity=childcare',
    'amenity=nursery', 'amenity=preschool', 'amenity=training', 'amenity=prep_school', 'amenity=language_school',
    'amenity=music_school', 'amenity=driving_school', 'amenity=driver_training', 'amenity=dancing_school',
    'amenity=cooking_school', 'amenity=art_school', 'language_school', 'music_school', 'driving_school',
    'prep_school', 'education=*',
    // PLATEAU detailed and local survey labels; cram, driving and hobby schools are 商業施設3 there, but teach
    '文教厚生施設1', '文教厚生施設2', '文教厚生施設1(大学、高等専門学校、各種学校、公的研究所 等)',
    '文教厚生施設2(小・中・高等学校、保育所 等)', '文教厚生施設(a1)', '文教厚生施設(b1)', '教育文化施設', '文教施設',
    '大学', '高等専門学校', '各種学校', '公的研究所', '小・中・高等学校', '保育所', '習い事教室', '予備校',
    '自動車教習所', '研修所',
    // Wikidata classes
    'educational building', 'educational institution', 'school building', 'primary school', 'elementary school',
    'junior high school', 'middle school', 'secondary school', 'high school',
    'combined junior and senior high school', 'special needs school', 'special school', 'vocational school',
    'vocational college', 'junior college', 'technical college', 'national college of technology',
    'private university', 'national university', 'public university', 'university building', 'university campus',
    'faculty', 'international school', 'boarding school', 'nursery school', 'day nursery', 'cram school',
    'language school', 'music school', 'driving school', 'training center', 'training centre', 'lecture hall',
    'school gymnasium',
    '学校', '校舎', '講堂', '教育施設', '教育機関', '小学校', '中学校', '高等学校', '高校', '中高一貫校',
    '小中一貫校', '義務教育学校', '中等教育学校', '特別支援学校', '養護学校', '専門学校', '専修学校', '短期大学',
    '大学院', '大学校', '国立大学', '私立大学', '公立大学', '高専', '大学施設', '大学キャンパス', 'キャンパス',
    '幼稚園', '保育園', '認定こども園', 'こども園', '託児所', '学習塾', '塾', '語学学校', '音楽学校', '音楽教室',
    'インターナショナルスクール',
    // disclosure words
    '学校等', '学校施設', '教育', '文教', '教室', '研修施設', '研修センター', '幼保連携型認定こども園', '学童保育',
    '学童保育所', '保育施設', '保育所等', '幼稚園等', 'schools', 'educational facility', 'nursery facility',
  ],
  healthcare: [
    // own name; OSM building=*
    'healthcare', 'hospital', 'hospitals', 'clinic', 'doctors', 'dentist', 'nursing_home', 'medical', 'sanatorium',
    'social_facility', 'retirement_home', 'assisted_living', 'hospice', 'pharmacy', 'veterinary',
    // OSM business tags; animal clinics too
    'healthcare=*', 'social_facility=*', 'amenity=hospital', 'amenity=clinic', 'amenity=doctors', 'amenity=dentist',
    'amenity=health_post', 'amenity=pharmacy', 'amenity=veterinary', 'amenity=nursing_home',
    'amenity=retirement_home', 'amenity=social_facility',
    // PLATEAU detailed and local survey labels
    '文教厚生施設5', '文教厚生施設6', '文教厚生施設5(病院)',
    '文教厚生施設6(診療所、老人ホーム、介護福祉施設、公衆浴場、公衆便所 等)', '文教厚生施設(a2)', '文教厚生施設(b3)',
    '厚生医療施設',
    '診療所', '老人ホーム', '介護福祉施設', '身体障害者福祉ホーム', '老人福祉センター',
    // Wikidata classes
    'medical facility', 'medical center', 'medical centre', 'medical clinic', 'health center', 'health centre',
    'health facility', 'general hospital', 'university hospital', 'teaching hospital', 'psychiatric hospital',
    "children's hospital", 'dental clinic', 'animal hospital', 'veterinary clinic', 'nursing home', 'retirement home',
    'retirement community', 'old age home', 'care home', 'assisted living', 'rehabilitation center', 'leprosarium',
    'welfare facility', 'social welfare facility', 'orphanage',
    '病院', '総合病院', '大学病院', '大学附属病院', '精神科病院', '小児病院', '医療センター', 'クリニック', '医院',
    '歯科医院', '歯科診療所', '助産所', '保健所', '保健センター', '療養所', 'サナトリウム', 'ホスピス', '動物病院',
    '薬局', '調剤薬局', '鍼灸院', '整骨院', '接骨院', '福祉施設', '社会福祉施設', '児童養護施設',
    // disclosure words; homes for the aged are ヘルスケア施設 for J-REITs, also those that are 共同住宅 by law
    'ヘルスケア', 'ヘルスケア施設', 'ヘルスケア施設等', 'ヘルスケア関連施設', 'シニア住宅', 'シニア向け住宅',
    'シニアリビング', 'シニアレジデンス', '高齢者施設', '高齢者住宅', '高齢者向け住宅', '高齢者向け賃貸住宅',
    '高齢者向け施設', '高齢者福祉施設', 'サービス付き高齢者向け住宅', 'サービス付高齢者向け住宅', 'サ高住',
    '有料老人ホーム', '介護付有料老人ホーム', '介護付き有料老人ホーム', '住宅型有料老人ホーム',
    '健康型有料老人ホーム', '特別養護老人ホーム', '養護老人ホーム', '軽費老人ホーム', 'ケアハウス',
    '介護老人保健施設', '老人保健施設', '介護医療院', '介護施設', '介護付ホーム', '介護老人福祉施設', '老人福祉施設',
    'グループホーム', '認知症高齢者グループホーム', '認知症対応型グループホーム', 'デイサービスセンター',
    'デイサービス', '小規模多機能型居宅介護施設', 'メディカル施設', 'メディカルモール', '医療モール', '医療施設',
    '医療', '医療関連施設', '医療福祉施設', '医療・福祉施設', '病院等', '病院施設', '福祉ホーム', '障害者福祉施設',
    '障害者支援施設', '児童福祉施設', '児童福祉施設等', '厚生施設',
    'healthcare facility', 'healthcare facilities', 'health care', 'senior living', 'senior housing',
    'elderly housing', 'medical mall',
  ],
  public: [
    // own name; OSM building=*
    'public', 'civic', 'government', 'government_office', 'townhall', 'town_hall', 'city_hall', 'courthouse',
    'fire_station', 'police', 'police_station', 'post_office', 'prison', 'embassy', 'community_centre',
    'community_center', 'social_centre', 'customs', 'border_control', 'toilets', 'toilet', 'public_building',
    'ranger_station', 'checkpoint',
    // OSM business tags
    'office=government', 'office=diplomatic', 'office=quango', 'government=*', 'diplomatic=*', 'amenity=townhall',
    'amenity=courthouse', 'amenity=police', 'amenity=fire_station', 'amenity=post_office', 'amenity=prison',
    'amenity=embassy', 'amenity=public_building', 'amenity=community_centre', 'amenity=community_hall',
    'amenity=social_centre', 'amenity=ranger_station', 'amenity=polling_station', 'amenity=vehicle_inspection',
    'amenity=refugee_site', 'amenity=toilets', 'amenity=shower', 'tourism=information', 'emergency=ambulance_station',
    'emergency=lifeboat_station', 'emergency=disaster_response', 'emergency=mountain_rescue',
    // the armed forces are the state's too, their barracks with them
    'military', 'barracks', 'bunker', 'military=*', '453', '防衛施設', 'military building', 'military base',
    'military installation', 'military facility', '軍事施設', '軍事基地', '駐屯地', '自衛隊施設', '兵舎',
    // PLATEAU usage: 422 mixes schools, museums, gyms, hospitals and temples; only the detailed label is specific, so
    // only public use is certain
    '421', '422', '官公庁施設', '文教厚生施設',
    '官公庁施設(国県市町村庁舎、裁判所、税務署、警察署、消防署、駐在所 等)', '公共系', '公共施設', '業務施設(2)',
    '国県市町村庁舎', '裁判所', '税務署', '警察署', '消防署', '駐在所', '集会所', '公衆便所', '郵便局',
    // meeting houses, though the surveys class 公民館 with libraries and 公会堂 with museums
    '公民館', '公会堂',
    // Wikidata classes
    'city hall', 'town hall', 'village hall', 'ward office', 'seat of local government', 'government building',
    'government office', 'government agency building', 'administrative building', 'public building', 'civic building',
    'civic center', 'prefectural office', 'prefectural capitol building', 'legislative building',
    'parliament building', 'capitol', 'court house', 'supreme court', 'district court', 'police station', 'koban',
    'police box', 'fire station', 'fire house', 'post office', 'main post office', 'tax office', 'customs house',
    'custom house', 'mint', 'correctional facility', 'detention center', 'diplomatic mission', 'consulate',
    "ambassador's residence", 'community center', 'community centre', 'community hall', "citizens' public hall",
    'kominkan', 'public hall', 'public toilet', 'tourist information center', 'visitor center', 'visitor centre',
    'job center', 'weather station', 'meteorological observatory',
    '庁舎', '市役所', '区役所', '町役場', '村役場', '役場', '市庁舎', '区庁舎', '県庁', '県庁舎', '都庁', '都庁舎',
    '府庁', '府庁舎', '道庁', '官庁', '官公署', '官公庁', '官公庁舎', '官庁建築', '合同庁舎', '地方合同庁舎', '官邸',
    '支所', '出張所', '国会議事堂', '議事堂', '県会議事堂', '最高裁判所', '検察庁', '交番', '消防団詰所', '消防団',
    '中央郵便局', '税関', '刑務所', '拘置所', '少年院', '大使館', '領事館', '総領事館', 'コミュニティセンター',
    'コミュニティ施設', '市民会館', '市民センター', '区民センター', '自治会館', '町内会館', '集会場',
    '生涯学習センター', '男女共同参画センター', '児童館', '児童厚生施設', '観光案内所', 'ビジターセンター',
    '公共職業安定所', 'ハローワーク', '気象台', '測候所', '便所', '公衆トイレ', 'トイレ',
    // disclosure words
    '公共', '公共用', '公益施設', '公共公益施設', '集会所等', '集会室', '官公庁舎等', 'public facility',
    'public facilities', 'government facility',
  ],
  religious: [
    // own name; OSM building=*
    'religious', 'shrine', 'temple', 'church', 'chapel', 'cathedral', 'mosque', 'synagogue', 'monastery', 'convent',
    'presbytery', 'kingdom_hall', 'wayside_shrine', 'pagoda', 'basilica', 'abbey', 'parish_hall', 'minaret',
    'bell_tower', 'gurdwara', 'stupa',
    // OSM business tags
    'amenity=place_of_worship', 'place_of_worship', 'amenity=monastery', 'amenity=crypt', 'amenity=grave_yard',
    'historic=church', 'historic=wayside_shrine', 'historic=wayside_cross', 'historic=tomb', 'historic=monastery',
    'man_made=cross', 'man_made=ceremonial_gate', 'man_made=torii',
    // PLATEAU detailed and local survey labels; (b4) also holds public baths
    '文教厚生施設7', '文教厚生施設7(神社、寺院、教会 等)', '文教厚生施設(b4)',
    '神社', '寺院', '教会',
    // Wikidata classes
    'place of worship', 'religious building', 'buddhist temple', 'buddhist monastery', 'shinto shrine',
    'shinto architecture', 'jinja', 'jingu', 'hindu temple', 'sikh gurdwara', 'church building',
    'catholic church building', 'protestant church building', 'parish church', 'co-cathedral', 'catholic cathedral',
    'eastern orthodox church building', 'orthodox church', 'confucian temple', 'mausoleum', 'columbarium', 'ossuary',
    'cemetery', 'torii', 'hondo', 'honden', 'haiden', 'three-storied pagoda', 'five-storied pagoda', 'sanmon',
    'wedding chapel',
    '仏教寺院', '寺', 'お寺', '仏閣', '神宮', '大社', '稲荷神社', '八幡宮', '天満宮', '宮', '社殿', '本殿', '拝殿',
    '本堂', '金堂', '仏堂', '堂', 'お堂', '庫裏', '庫裡', '社務所', '山門', '鐘楼', '仏塔', '五重塔', '三重塔',
    '多宝塔', '鳥居', '教会堂', '教会建築', 'キリスト教会', '大聖堂', '聖堂', '礼拝堂', 'チャペル', '修道院',
    'モスク', 'シナゴーグ', '孔子廟', '霊廟', '廟', '納骨堂', '墓地', '霊園', '宗教施設', '宗教建築', '宗教法人施設',
    '祠',
  ],
  culture: [
    // own name; OSM building=*
    'culture', 'cultural', 'museum', 'gallery', 'theatre', 'theater', 'cinema', 'library', 'arts_centre',
    'concert_hall', 'opera_house', 'planetarium', 'observatory', 'aquarium', 'zoo', 'castle', 'palace', 'monument',
    'memorial', 'triumphal_arch', 'exhibition_centre', 'exhibition_hall', 'conference_centre', 'convention_center',
    'convention_centre', 'events_venue', 'auditorium', 'theme_park', 'entertainment', 'archive',
    // OSM business tags; zoos and halls by the PLATEAU list (4223), conference and exhibition halls with them
    'tourism=museum', 'tourism=gallery', 'tourism=artwork', 'tourism=aquarium', 'tourism=zoo', 'tourism=theme_park',
    'tourism=viewpoint', 'amenity=theatre', 'amenity=cinema', 'amenity=arts_centre', 'amenity=library',
    'amenity=archive', 'amenity=planetarium', 'amenity=music_venue', 'amenity=concert_hall',
    'amenity=exhibition_centre', 'amenity=conference_centre', 'amenity=events_venue', 'amenity=auditorium',
    'leisure=bandstand', 'historic=castle', 'historic=palace', 'historic=fort', 'historic=city_gate',
    'historic=manor', 'historic=monument', 'historic=memorial', 'historic=archaeological_site', 'museum=*',
    'man_made=observatory', 'man_made=telescope', 'man_made=obelisk', 'attraction=*', 'club=culture',
    // PLATEAU detailed and local survey labels; theatres and cinemas are 商業施設5 there
    '文教厚生施設3', '文教厚生施設3(図書館、博物館、文化ホール、集会所、動物園 等)', '文教厚生施設(a4)',
    '文教厚生施設(b2)', '商業施設5', '商業施設5(劇場、映画館 等)', '娯楽施設(a)',
    '図書館', '博物館', '文化ホール', '動物園', '劇場', '映画館', '演芸場', '観覧場', '会議場・展示場',
    // Wikidata classes
    'art museum', 'art gallery', 'history museum', 'science museum', 'natural history museum', 'local museum',
    'folk museum', 'open-air museum', 'memorial museum', 'museum building', 'literary museum', 'railway museum',
    'maritime museum', 'historic house museum', 'public library', 'prefectural library', 'municipal library',
    'national library', 'library building', 'archives', 'cultural center', 'cultural centre', 'cultural facility',
    'cultural institution', 'arts center', 'arts centre', 'performing arts center', 'performing arts building',
    'multi-purpose hall', 'music venue', 'live music venue', 'live house', 'concert hall', 'opera house',
    'theatre building', 'theater building', 'noh theatre', 'noh stage', 'kabuki theatre', 'movie theater',
    'movie theatre', 'multiplex cinema', 'multiplex', 'convention center', 'convention centre', 'conference center',
    'congress center', 'exhibition hall', 'exhibition center', 'exhibition venue', 'pavilion (exposition)',
    'expo pavilion', 'event venue', 'amusement park', 'theme park', 'botanical garden', 'public aquarium',
    'japanese castle', 'flatland castle', 'tenshu', 'keep', 'fort', 'fortress', 'city gate', 'yagura',
    'imperial palace', 'royal palace', 'tea house', 'chashitsu', 'tea room', 'war memorial',
    '美術館', '歴史博物館', '科学博物館', '科学館', '自然史博物館', '郷土資料館', '民俗資料館', '資料館',
    '歴史資料館', '記念館', '文学館', '文書館', '公文書館', '博物館相当施設', '博物館類似施設', '登録博物館',
    '企業博物館', '鉄道博物館', '画廊', 'ギャラリー', 'アートギャラリー', 'アートセンター', '公立図書館',
    '公共図書館', '県立図書館', '国立図書館', '文化施設', '文化会館', '文化センター', '芸術文化センター', '芸術劇場',
    '多目的ホール', 'コンサートホール', '音楽ホール', '音楽堂', 'ライブハウス', 'オペラハウス', '歌劇場',
    '歌舞伎劇場', '能楽堂', '能舞台', '寄席', '演劇場', 'シネマコンプレックス', 'シネコン', 'プラネタリウム',
    '天文台', '水族館', '植物園', '遊園地', 'テーマパーク', '日本の城', '城', '城郭', '城跡', '平城', '天守',
    '天守閣', '要塞', '砲台', '櫓', '宮殿', '御殿', '御所', '離宮', '茶室', '記念碑', '記念塔', 'パビリオン',
    '凱旋門',
    // towers people climb for the view; towers that only carry antennas are utility
    'observation tower', 'observation deck', 'man_made=observation_tower', 'tower:type=observation', '展望塔',
    '展望台', '展望タワー', 'clock tower', '時計台', '時計塔',
    // disclosure words
    '文化', 'ホール', '会館', '会議場', '国際会議場', '展示場', '展示施設', '見本市会場', 'コンベンションセンター',
    'コンベンション施設', '会議施設', '貸会議室', 'カンファレンスセンター', 'カンファレンス施設', 'イベントホール',
    'イベント施設', 'エンターテインメント施設', 'エンタテインメント施設', '興行場', '劇場等', 'シアター', '観光施設',
    'cultural facilities', 'entertainment facility', 'conference facility',
  ],
  sports: [
    // own name; OSM building=*, whose pavilion is the changing rooms of a sports ground
    'sports', 'stadium', 'sports_hall', 'sports_centre', 'sports_center', 'grandstand', 'bleachers', 'riding_hall',
    'gymnasium', 'gym', 'swimming_pool', 'ice_rink', 'pavilion', 'arena', 'velodrome', 'fitness_centre',
    'fitness_center', 'bowling_alley', 'dojo', 'clubhouse', 'ski_jump',
    // OSM business tags
    'leisure=sports_centre', 'leisure=sports_hall', 'leisure=stadium', 'leisure=fitness_centre',
    'leisure=swimming_pool', 'leisure=water_park', 'leisure=ice_rink', 'leisure=bowling_alley', 'leisure=pitch',
    'leisure=track', 'leisure=golf_course', 'leisure=miniature_golf', 'leisure=horse_riding',
    'leisure=trampoline_park', 'leisure=bleachers', 'leisure=marina', 'leisure=disc_golf_course', 'amenity=dojo',
    'amenity=gym', 'amenity=dive_centre', 'club=sport', 'man_made=ski_jump',
    // PLATEAU detailed and local survey labels; alleys, ranges and gyms are 商業施設6 there
    '文教厚生施設4', '文教厚生施設4(体育館、水泳場、野球場、陸上競技場その他のスポーツ施設(主に公共施設))',
    '文教厚生施設(a3)', '遊戯施設(a)', 'スポーツ・興行施設',
    '体育館', '水泳場', '野球場', '陸上競技場', '陸上競技場その他のスポーツ施設(主に公共施設)', 'ボーリング場',
    'バッティングセンター', 'ゴルフ練習場', 'フィットネス', 'スケート場',
    // Wikidata classes
    'sports venue', 'sports facility', 'sports complex', 'sports center', 'sports centre', 'multi-purpose stadium',
    'association football stadium', 'association football venue', 'football stadium', 'soccer stadium',
    'baseball venue', 'baseball park', 'baseball stadium', 'baseball field', 'athletics stadium', 'rugby stadium',
    'rugby union venue', 'indoor arena', 'multi-purpose arena', 'domed stadium', 'olympic stadium', 'olympic venue',
    'sumo venue', 'sumo hall', 'martial arts hall', 'budokan', 'tennis venue', 'tennis court', 'ice hockey arena',
    'ice arena', 'speed skating rink', 'swimming centre', 'swimming venue', 'aquatics center', 'horse racing venue',
    'racecourse', 'race track', 'racing circuit', 'motorsport racing track', 'boat racing venue', 'golf course',
    'golf club', 'bowling alley', 'ski resort', 'fitness center', 'fitness centre', 'health club', 'sports club',
    'climbing gym',
    'スタジアム', '競技場', '国立競技場', '運動施設', '運動場', '運動公園', '総合運動公園', 'サッカースタジアム',
    'サッカー場', '球技場', '球場', 'ドーム球場', 'ドーム', 'ラグビー場', '屋内競技場', 'アリーナ', '総合体育館',
    '国技館', '武道館', '武道場', '道場', '弓道場', '柔道場', 'テニスコート', 'テニスクラブ', 'アイスアリーナ',
    'アイススケート場', 'スケートリンク', 'プール', '屋内プール', '屋内水泳場', '競馬場', '競輪場', '競艇場',
    'オートレース場', 'サーキット', 'ゴルフ場', 'ボウリング場', 'スキー場', 'クラブハウス', 'マリーナ',
    // disclosure words
    'スポーツ', 'スポーツ施設', 'スポーツ施設等', 'スポーツクラブ', 'スポーツジム', 'スポーツセンター',
    'フィットネスクラブ', 'フィットネスジム', 'フィットネス施設', 'スイミングスクール', 'スイミングクラブ',
    'スポーツの練習場', '体育施設', 'sports facilities',
  ],
  transport: [
    // own name; OSM building=*
    'transport', 'transportation', 'train_station', 'railway_station', 'subway_station', 'metro_station',
    'bus_station', 'bus_terminal', 'ferry_terminal', 'terminal', 'airport', 'airport_terminal', 'hangar', 'station',
    'depot', 'train_shed', 'engine_shed', 'roundhouse', 'signal_box', 'bridge', 'bridge_structure', 'toll_booth',
    'lighthouse', 'control_tower', 'platform', 'halt', 'subway_entrance',
    // OSM business tags
    'railway=*', 'railway=station', 'railway=halt', 'railway=depot', 'railway=signal_box', 'railway=subway_entrance',
    'railway=platform', 'railway=tram_stop', 'public_transport=*', 'public_transport=station',
    'public_transport=platform', 'aeroway=*', 'aeroway=terminal', 'aeroway=hangar', 'aeroway=aerodrome',
    'aeroway=heliport', 'aerialway=*', 'aerialway=station', 'amenity=bus_station', 'amenity=ferry_terminal',
    'amenity=taxi', 'barrier=toll_booth', 'man_made=pier', 'man_made=quay', 'man_made=bridge', 'man_made=lighthouse',
    'man_made=beacon',
    // PLATEAU detailed and local survey labels
    '運輸倉庫施設1', '運輸倉庫施設1(駅舎、電車車庫、バスターミナル、港湾・空港施設 等)', '運輸倉庫施設(b1)',
    '運輸施設',
    '駅舎', '電車車庫', 'バスターミナル', '港湾・空港施設', '港湾施設', '空港施設', '停車場', '飛行場',
    // Wikidata classes
    'railway station', 'railway station building', 'train station', 'station building', 'station house', 'metro station', 'subway station',
    'underground station', 'elevated station', 'tram stop', 'monorail station', 'union station', 'terminal station',
    'interchange station', 'shinkansen station', 'railway depot', 'rail yard', 'motive power depot', 'railway halt',
    'signal box', 'bus station', 'bus terminal', 'bus depot', 'bus garage', 'ferry terminal', 'passenger terminal',
    'cruise terminal', 'port terminal', 'port', 'harbour', 'airport terminal', 'terminal building', 'aircraft hangar',
    'air traffic control tower', 'heliport', 'cable car station', 'funicular station', 'ropeway station',
    'covered bridge', 'skyway',
    '駅', '鉄道駅', '地下鉄駅', '地上駅', '地下駅', '高架駅', '橋上駅', 'ターミナル駅', 'モノレール駅',
    '路面電車停留場', '停留場', '停留所', 'バス停', '信号場', '車両基地', '機関庫', '扇形庫', 'バス車庫',
    'バス営業所', '空港', '空港ターミナル', '空港ターミナルビル', 'ターミナル', 'ターミナルビル', '旅客ターミナル',
    'フェリーターミナル', '港', '管制塔', '格納庫', 'ヘリポート', 'ロープウェイ駅', '灯台', '料金所', '橋', '橋梁',
    '地下停車場',
    // disclosure words
    '鉄道施設', '鉄道', '交通施設', '交通', '運輸', '駅施設', 'station facility', 'transportation facility',
  ],
  parking: [
    // own name; OSM building=*
    'parking', 'garage', 'garages', 'carport', 'carports', 'car_park', 'parking_garage', 'multi-storey_parking',
    'bicycle_parking', 'bicycle_shed', 'motorcycle_parking',
    // OSM business tags
    'amenity=parking', 'amenity=bicycle_parking', 'amenity=motorcycle_parking', 'amenity=car_sharing',
    'parking=multi-storey',
    // PLATEAU detailed and local survey labels
    '運輸倉庫施設3', '運輸倉庫施設3(立体駐車場、駐輪施設 等)', '運輸倉庫施設(a)',
    '立体駐車場', '駐輪施設', '自動車車庫',
    // Wikidata classes
    'parking lot', 'parking facility', 'parking garage', 'parking structure', 'multi-storey car park',
    'multistorey car park', 'underground car park', 'underground parking', 'automated parking system',
    'automated parking', 'car park', 'bicycle parking station', 'bicycle parking facility', 'bicycle parking',
    '駐車場', '地下駐車場', '自走式駐車場', '自走式立体駐車場', '機械式駐車場', '機械式立体駐車場',
    'タワーパーキング', '駐輪場', '自転車駐車場', '自転車置場', '自転車置き場', 'バイク駐車場',
    // disclosure words
    '車庫', '駐車場等', '駐車場ビル', '駐車場棟', '駐車施設', 'パーキング', '平面駐車場', '自転車駐輪場', 'ガレージ',
    'カーポート', '自動車駐車場', 'parking building', 'parking facilities',
  ],
  agriculture: [
    // own name; OSM building=*
    'agriculture', 'agricultural', 'farm_auxiliary', 'barn', 'cowshed', 'stable', 'sty', 'greenhouse', 'glasshouse',
    'silo', 'slurry_tank', 'chicken_coop', 'chicken_shed', 'poultry_house', 'livestock', 'granary', 'hayloft',
    'dovecote', 'apiary', 'milking_parlour',
    // allotment houses stand on garden plots
    'allotment_house',
    // boathouses are 船小屋 (fishery) in the PLATEAU list
    'boathouse',
    // OSM business tags
    'man_made=silo', 'man_made=bunker_silo', 'man_made=dovecote', 'amenity=animal_breeding', 'amenity=stables',
    // PLATEAU usage, detailed and local survey labels
    '451', '農林漁業用施設', '農林漁業施設', '農業施設',
    '農林漁業用施設(農業用納屋、畜舎、温室、船小屋、農林漁業用作業場 等)',
    '農業用納屋', '畜舎', '温室', '船小屋', '農林漁業用作業場',
    // Wikidata classes and the land register's kinds
    'farm building', 'agricultural building', 'cattle shed', 'cow barn', 'pigsty', 'henhouse', 'stables',
    'horse stable', 'fish farm', 'fish hatchery', 'rice granary', 'grain elevator', 'vinyl house',
    '納屋', '牛舎', '豚舎', '鶏舎', '酪農舎', '厩舎', '蚕室', '養鶏場', '養豚場', '養殖場', 'サイロ',
    'ビニールハウス', 'ガラス温室', '植物工場', '農舎', '農業用倉庫', '農作業場', '農業用施設', '漁業用施設',
    '林業用施設', '番屋', '漁業施設', '農業倉庫', '選果場', 'カントリーエレベーター', '農業', 'agricultural facility',
  ],
  utility: [
    // own name; OSM building=*. building=service houses machines (pumps, transformers), not services
    'utility', 'service', 'transformer_tower', 'transformer', 'substation', 'power', 'power_station', 'power_plant',
    'pumping_station', 'water_tower', 'water_works', 'waterworks', 'reservoir', 'storage_tank', 'tank', 'gasometer',
    'digester', 'tech_cab', 'ventilation_shaft', 'ventilation_kiosk', 'telephone_exchange', 'telecommunication_tower',
    'communication_tower', 'communications_tower', 'radio_tower', 'mast', 'boiler_house', 'heating_plant',
    'sewage_plant', 'waste_shed', 'recycling', 'recycling_centre', 'data_center', 'data_centre', 'street_cabinet',
    'incinerator',
    // OSM business tags; power=generator is left out: it is a panel on the roof of any building
    'power=plant', 'power=substation', 'power=transformer', 'power=switchgear', 'power=converter', 'telecom=*',
    'utility=*', 'man_made=water_works', 'man_made=wastewater_plant', 'man_made=pumping_station',
    'man_made=water_tower', 'man_made=reservoir_covered', 'man_made=storage_tank', 'man_made=gasometer',
    'man_made=clarifier', 'man_made=street_cabinet', 'man_made=monitoring_station', 'man_made=communications_tower',
    'man_made=mast', 'tower:type=communication', 'tower:type=cooling', 'tower:type=radio', 'amenity=recycling',
    'amenity=waste_disposal', 'amenity=waste_transfer_station', 'amenity=sanitary_dump_station',
    'amenity=charging_station',
    // PLATEAU usage, detailed and local survey labels
    '452', '供給処理施設', '供給処理施設(処理場、浄水場、ポンプ場、火葬場、発電所、変電所、ガス・熱供給施設等)',
    '処理施設', '処理施設(b)', '処理施設(c)',
    '処理場', '浄水場', 'ポンプ場', '発電所', '変電所', '変圧所', 'ガス・熱供給施設', '廃棄物処理場', '汚水処理場',
    // telephone exchanges are machine halls, though 業務施設 in the PLATEAU list
    '電話局', '電話交換局', '電話交換所', 'telephone exchange',
    // crematoria by the PLATEAU list (4521) and the planning law
    '火葬場', 'amenity=crematorium', 'crematorium',
    // data centres: infrastructure for J-REITs (インフラ施設), like telephone exchanges
    'データセンター', 'データセンタービル', 'data center', 'data centre', 'data centers', 'server farm',
    // Wikidata classes; a television tower carries antennas (one with a deck has the class observation tower too)
    'television tower', 'radio tower', 'radio masts and towers', 'communications tower', 'telecommunications tower',
    'radio mast', 'transmitter station', 'broadcast tower', 'antenna tower', 'power station', 'power plant',
    'thermal power station', 'nuclear power plant', 'hydroelectric power station', 'solar power plant', 'wind farm',
    'geothermal power station', 'waste-to-energy plant', 'electrical substation', 'transformer station', 'gas holder',
    'gas works', 'water tower', 'water treatment plant', 'water purification plant', 'wastewater treatment plant',
    'sewage treatment plant', 'pumping station', 'incineration plant', 'waste incineration plant',
    'waste treatment facility', 'recycling center', 'district heating plant', 'cooling tower',
    'public utility building',
    '電波塔', 'テレビ塔', '通信塔', '無線塔', 'ラジオ塔', '送信所', '放送所', '火力発電所', '原子力発電所',
    '水力発電所', '太陽光発電所', '風力発電所', '地熱発電所', 'バイオマス発電所', 'ガスタンク', 'ガスホルダー',
    '給水塔', '配水塔', '配水池', '配水場', '取水場', '上水道施設', '下水処理場', '下水道施設', '水再生センター',
    '浄化センター', 'ポンプ所', '清掃工場', 'ごみ処理場', 'ごみ処理施設', 'ごみ焼却場', '焼却施設', '廃棄物処理施設',
    'リサイクルセンター', 'リサイクル施設', '地域冷暖房施設', '地域冷暖房プラント', '熱供給施設',
    // disclosure words
    'インフラ', 'インフラ施設', 'インフラストラクチャー', 'インフラ不動産', '太陽光発電設備', '太陽光発電施設',
    '再生可能エネルギー発電設備', '発電設備', '発電施設', '通信施設', '通信局舎', '電気室', '機械室', 'ポンプ室',
    '受水槽室', 'infrastructure', 'infrastructure facility', 'solar power facility', 'energy facility',
  ],
  other: [
    // own name
    'other', 'others',
    // OSM building=*: a use is stated, but none of the above (outbuildings, shelters, guard posts)
    'shed', 'hut', 'outbuilding', 'beach_hut', 'gatehouse', 'guardhouse', 'tent', 'marquee', 'container', 'ship',
    'elevator', 'shelter', 'tool_shed', 'garden_house', 'gazebo', 'animal_shelter', 'hunting_stand',
    // OSM business tags
    'amenity=shelter', 'amenity=animal_shelter', 'amenity=mortuary', 'amenity=hunting_stand', 'amenity=boat_storage',
    'leisure=hackerspace',
    // PLATEAU usage and detailed label
    '454', 'その他', '仮設建築物その他 上記 に分類できない施設', '仮設建築物', '工事現場仮設事務所', '仮設事務所',
    // Wikidata classes, the land register's kinds and disclosure words
    'gate', 'guard house', 'shack', 'storage shed',
    '物置', '守衛所', '守衛室', '東屋', '四阿', '小屋', '門', '附属家', '附属建物', '付属建物', '付属棟', '附属棟',
    '休憩所', '待合所', 'その他用途', 'その他用途区画', 'その他施設', 'その他の用途', 'その他の施設', 'その他資産', 'その他の資産',
    'miscellaneous',
  ],
  unspecified: [
    // own name; "unknown" is what a building without a known use publishes
    'unspecified', 'unknown', 'yes', 'no', 'none', 'undefined', 'unclassified', 'n/a', 'fixme', 'not specified',
    // OSM building=*: form or state, no use
    'building', 'roof', 'tower', 'construction', 'under_construction', 'proposed', 'ruins', 'ruin', 'collapsed',
    'damaged', 'destroyed', 'abandoned', 'disused', 'vacant', 'empty', 'unused', 'part', 'entrance', 'quonset_hut',
    'part_of_building', 'mixed', 'mixed_use', 'mixed-use',
    // OSM business tags that deny or hide a use, or are put on buildings of any use
    'shop=vacant', 'shop=no', 'office=no', 'office=vacant', 'craft=no', 'amenity=no', 'amenity=yes',
    'tourism=attraction', 'tourism=yes', 'historic=yes', 'historic=building', 'historic=ruins', 'historic=heritage',
    'man_made=tower', 'man_made=yes', 'disused=yes', 'abandoned=yes', 'railway=disused', 'railway=abandoned',
    'railway=razed', 'railway=no',
    // PLATEAU usage; 461 counts as no value
    '461', '不明', '用途不明', '建設中の建物', '建設中',
    // Wikidata classes: form, height, fame or protection, no use
    'skyscraper', 'supertall skyscraper', 'high-rise building', 'high-rise', 'low-rise building',
    'multi-story building', 'multi-storey building', 'building complex', 'group of buildings',
    'architectural ensemble', 'architectural structure', 'structure', 'landmark', 'tourist attraction',
    'point of interest', 'historic building', 'historic site', 'heritage site', 'cultural property',
    'important cultural property', 'registered tangible cultural property', 'national treasure', 'lattice tower',
    'twin towers', 'twin skyscrapers', 'mixed-use building', 'mixed-use development', 'multi-purpose building',
    'multi-tenant building', 'zakkyo building', 'urban redevelopment', 'proposed building', 'demolished building',
    'destroyed building or structure', 'former building or structure', 'building under construction',
    'abandoned building',
    '超高層ビル', '超高層建築物', '高層ビル', '高層建築物', '中層建築物', '低層建築物', '建築物', '建物', '建造物',
    '構造物', '建築', 'ビル', 'ビルディング', '塔', 'タワー', 'ツインタワー', '鉄塔', 'ランドマーク', '観光名所',
    '観光地', '歴史的建造物', '近代建築', '文化財', '重要文化財', '登録有形文化財', '国宝', '廃墟', '解体済み',
    '解体された建物', '再開発', '計画中',
    // several uses, none of them named
    '複合ビル', '複合施設', '複合用途', '複合用途ビル', '複合用途施設', '複合', '複合型', '総合型', '複合建築物',
    '複合用途建築物', '雑居ビル', 'テナントビル', '賃貸ビル', '貸ビル', 'mixed use', 'multi-use', 'diversified',
    'complex',
    // disclosure words: land, or nothing said
    '底地', '土地', '借地', '更地', '素地', '敷地', '開発用地', '未定', '未詳', '未記載', '記載なし', '該当なし',
    '非開示', '指定なし', '無指定', 'land', 'leased land', 'land with leasehold interest', 'land interest',
    'not disclosed',
  ],
};
